// A picture of the board as it stands, to share or to save.

const PROPERTIES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "stop-color", "stop-opacity", "visibility",
] as const;
const PIXELS = 1080;
const RELEASE_MS = 10_000;

/** Characters that names of files may not have. */
const NOT_IN_FILES = /[\\/:*?"<>|]/g;

/**
 * Shares a picture through the device, or saves it as a file where the device shares none. Returns the name of the saved
 * file; null if it was not saved.
 */
export async function shareOrSave(picture: Blob, name: string): Promise<string | null> {
  const file = new File([picture], `${name.replace(NOT_IN_FILES, "")}.png`, { type: "image/png" });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    // A rejection means that the user has closed the dialog of the device.
    await navigator.share({ files: [file] }).catch(() => undefined);
    return null;
  }
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
  return file.name;
}

/** Returns a picture of the board of this page. */
export async function boardPicture(): Promise<Blob> {
  const drawn = document.querySelector("tafl-board")?.shadowRoot?.querySelector("svg");
  if (!drawn) throw new Error("no board");
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(standalone(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: PIXELS, height: PIXELS });
  canvas.getContext("2d")?.drawImage(image, 0, 0, PIXELS, PIXELS);
  return blobOf(canvas);
}

/** What a picture says below the board, one line each. */
export interface Caption {
  readonly result: string;
  readonly game: string;
  /** Where to play it; empty if nobody else can go there. */
  readonly address: string;
}

const BAND = 230;
const MARGIN = 48;
const CLOTH = "#153f57";
const ON_CLOTH = "#f7f1e3";
const WELD = "#e9bc4a";

/** Adds a band of cloth below the picture of a board, on which stands how the game ended and where to play it. */
export async function captioned(picture: Blob, { result, game, address }: Caption): Promise<Blob> {
  const board = await createImageBitmap(picture);
  const canvas = Object.assign(document.createElement("canvas"), { width: PIXELS, height: PIXELS + BAND });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = CLOTH;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(board, 0, 0, PIXELS, PIXELS);
  const heading = document.querySelector("h2");
  const line = (text: string, y: number, size: number, colour: string, like: Element | null) => {
    const style = getComputedStyle(like ?? document.body);
    const font = (px: number) => `${style.fontWeight} ${px}px ${style.fontFamily}`;
    context.font = font(size);
    const width = context.measureText(text).width;
    context.font = font(size * Math.min(1, (PIXELS - 2 * MARGIN) / width));
    context.fillStyle = colour;
    context.fillText(text, MARGIN, PIXELS + y);
  };
  line(result, 84, 64, ON_CLOTH, heading);
  line(game, 142, 36, ON_CLOTH, null);
  line(address, 194, 32, WELD, null);
  return blobOf(canvas);
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))));
}

/** Copies a drawing with its computed styles as attributes: outside the page there is no style sheet. */
function standalone(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll("*");
  drawn.querySelectorAll("*").forEach((element, index) => {
    const styles = getComputedStyle(element);
    for (const name of PROPERTIES) copies[index]?.setAttribute(name, styles.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", `${PIXELS}`);
  copy.setAttribute("height", `${PIXELS}`);
  return new XMLSerializer().serializeToString(copy);
}
