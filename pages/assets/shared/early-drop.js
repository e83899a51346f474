/* Keeps files that are dropped while the page's scripts are still loading; otherwise the browser would open the file. */
{
  /** @type {File[]} */
  const files = [];
  const keep = (/** @type {DragEvent} */ event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    files.push(...(event.dataTransfer?.files ?? []));
  };
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", keep);
  /** Returns the kept files; from then on the caller listens. */
  window.filesDroppedEarly = () => {
    document.removeEventListener("drop", keep);
    return files;
  };
}
