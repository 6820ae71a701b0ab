// Saves files to the user's disk.

/** Saves bytes as a file, where the browser saves its downloads. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // A browser can read the bytes a while after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The last part of a name without its ending, and the ending: "runs.zip:a/run.dem" as ["run", ".dem"]. */
export function stemAndEnding(name: string): [string, string] {
  const last = name.split(/[/\\:]/).at(-1) ?? name;
  const packed = last.replace(/\.gz$/i, "");
  const dot = packed.lastIndexOf(".");
  return dot > 0 ? [packed.slice(0, dot), packed.slice(dot)] : [packed, ""];
}

/** The name of an edited recording. */
export function editedName(name: string, game: string): string {
  const [stem, ending] = stemAndEnding(name);
  const usual = game === "Quake II" ? ".dm2" : ".dem";
  return `${stem}-edited${/^\.(dem|dm2|qwd|mvd)$/i.test(ending) ? ending.toLowerCase() : usual}`;
}

/** Copies a text to the clipboard; if the browser forbids it, returns the text, to be shown. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
