/* Files that the page itself makes. */
const SOON = 10_000;

/** Let the browser keep `text` as a file; what no file system takes in a name becomes an underscore. */
export function saveFile(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name.replace(/[\\/:*?"<>|]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SOON);
}
