/* Files dropped while the page's scripts are still coming are kept; without this the browser would leave for the file. */
{
  const files = [];
  const keep = (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    files.push(...event.dataTransfer.files);
  };
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", keep);
  /** What was kept; from then on the caller listens. */
  window.filesDroppedEarly = () => {
    document.removeEventListener("drop", keep);
    return files;
  };
}
