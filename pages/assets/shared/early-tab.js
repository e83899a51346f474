/* A page chosen in the header while its scripts are still loading is put into the address, where the scripts find it. */
document.addEventListener("click", (event) => {
  const tab = event.target instanceof Element && event.target.closest(".pal-header [role=tab]:not([aria-selected])");
  if (!(tab instanceof HTMLElement)) return;
  const url = new URL(location.href);
  url.searchParams.set("tab", tab.dataset.tab ?? "");
  history.replaceState({}, "", url);
});
