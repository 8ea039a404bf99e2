// The parts of records in the format of Hnefi (docs/reference/formats.md) that all writers share.

const WIDTH = 80;

/** Returns header lines. Headers without a value are left out. */
export function headerLines(headers: readonly (readonly [string, string | null | undefined])[]): string {
  return headers.map(([name, value]) => (value ? `[${name} ${quoted(value)}]\n` : "")).join("");
}

function quoted(value: string): string {
  return `"${visible(value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n"))}"`;
}

/** Formats a comment as units between which a line may be broken. */
export function commentUnits(comment: string): readonly string[] {
  const escaped = comment.replace(/\\/g, "\\\\").replace(/\}/g, "\\}").replace(/\n\[/g, "\n\\[").replace(/\n/g, "\\\n");
  return `{${visible(escaped)}}`.split(/(?<=[^\s\\]) (?=[^\s[])/);
}

/** Spells characters that cannot be seen by their numbers. */
function visible(text: string): string {
  return text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Wraps units to lines of at most 80 characters. */
export function wrapped(units: readonly string[]): string {
  let text = "";
  let column = 0;
  for (const unit of units) {
    const lines = unit.split("\n");
    const [first = ""] = lines;
    const isFirst = text === "";
    const fits = column + 1 + first.length <= WIDTH;
    text += (isFirst ? "" : fits ? " " : "\n") + unit;
    const start = isFirst || !fits ? 0 : column + 1;
    column = lines.length > 1 ? (lines.at(-1) ?? "").length : start + first.length;
  }
  return text;
}
