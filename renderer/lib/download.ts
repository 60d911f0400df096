/** Hands a file that the page has made to the browser, which saves it as it saves every download. */
export function download(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download may start after this event loop turn, and keeps the bytes once started.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function downloadText(name: string, text: string): void {
  download(name, new Blob([text], { type: "text/csv;charset=utf-8" }));
}

/** Builds a file name valid on all systems: words joined by hyphens. */
export function fileName(words: readonly string[], ending: string): string {
  const name = words
    .join(" ")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `${name.slice(0, 100)}.${ending}`;
}
