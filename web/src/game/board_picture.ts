// A picture of the board as it stands, to share or to save.

import { download, fileName } from "../ui/text_export.ts";

const PROPERTIES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "stop-color", "stop-opacity", "visibility",
] as const;
const PIXELS = 1080;

/**
 * Shares a picture through the device, or saves it as a file where the device shares none. Returns the name of the saved
 * file; null if it was not saved.
 */
export async function shareOrSave(picture: Blob, name: string): Promise<string | null> {
  const file = new File([picture], fileName(`${name}.png`), { type: "image/png" });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    // A rejection means that the user has closed the dialog of the device.
    await navigator.share({ files: [file] }).catch(() => undefined);
    return null;
  }
  download(file);
  return file.name;
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

/** Returns a picture of the board of this page, on a band of cloth with how the game ended and where to play it. */
export async function boardPicture({ result, game, address }: Caption): Promise<Blob> {
  const drawn = document.querySelector("tafl-board")?.shadowRoot?.querySelector("svg");
  if (!drawn) throw new Error("no board");
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(standalone(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: PIXELS, height: PIXELS + BAND });
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#153f57";
  context.fillRect(0, 0, PIXELS, PIXELS + BAND);
  context.drawImage(image, 0, 0, PIXELS, PIXELS);
  const line = (text: string, y: number, size: number, colour: string, like: string) => {
    const { fontWeight, fontFamily } = getComputedStyle(document.querySelector(like)!);
    const font = (px: number) => `${fontWeight} ${px}px ${fontFamily}`;
    context.font = font(size);
    context.font = font(Math.min(size, (size * (PIXELS - 2 * MARGIN)) / context.measureText(text).width));
    context.fillStyle = colour;
    context.fillText(text, MARGIN, PIXELS + y);
  };
  line(result, 84, 64, "#f7f1e3", "h2");
  line(game, 142, 36, "#f7f1e3", "body");
  line(address, 194, 32, "#e9bc4a", "body");
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
