/* Files dropped while the page's scripts are still coming are kept; without this the browser would leave for the file. */
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
  /** What was kept; from then on the caller listens. */
  window.filesDroppedEarly = () => {
    document.removeEventListener("drop", keep);
    return files;
  };
}
