/* The page as a whole: colour scheme, filter, sorting, and links that lead into a call. */
"use strict";
(() => {
  const root = document.documentElement;

  /* ---- colour scheme: the system's, or one that the reader chose ---- */
  const schemes = ["", "light", "dark"];
  const shown = { "": "Auto", light: "Light", dark: "Dark" };
  const button = document.getElementById("theme");

  function setScheme(scheme) {
    if (scheme) root.dataset.theme = scheme;
    else delete root.dataset.theme;
    button.textContent = shown[scheme];
    button.setAttribute("aria-label", `Colour scheme: ${scheme || "system"}`);
    document.dispatchEvent(new Event("schemechange"));
  }

  button.addEventListener("click", () => {
    const next = schemes[(schemes.indexOf(root.dataset.theme || "") + 1) % schemes.length];
    setScheme(next);
    try { localStorage.setItem("outboundeval-scheme", next); } catch { /* pages from disk may have no storage */ }
  });
  let kept = "";
  try { kept = localStorage.getItem("outboundeval-scheme") || ""; } catch { /* as above */ }
  if (schemes.includes(kept) && kept) setScheme(kept);

  /* ---- the table of calls ---- */
  const filters = [...document.querySelectorAll(".filter")];
  for (const filter of filters) {
    filter.addEventListener("click", () => {
      const status = filter.dataset.status;
      for (const other of filters) other.setAttribute("aria-pressed", String(other === filter));
      for (const item of document.querySelectorAll("#calls-table tbody tr, details.call")) {
        item.hidden = status !== "" && item.dataset.status !== status;
      }
    });
  }

  for (const sorter of document.querySelectorAll(".sort")) {
    sorter.addEventListener("click", () => {
      const column = sorter.closest("th");
      const descending = column.getAttribute("aria-sort") === "ascending";
      for (const other of column.parentElement.children) {
        if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
      }
      column.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const body = document.querySelector("#calls-table tbody");
      const value = (row) => JSON.parse(row.dataset.sort)[sorter.dataset.key];
      const rows = [...body.rows].sort((one, other) => {
        const [a, b] = [value(one), value(other)];
        /* What was not measured is neither small nor large: it stays below. */
        if (a === null || b === null) return (a === null) - (b === null);
        return descending ? b - a : a - b;
      });
      body.append(...rows);
    });
  }

  /* ---- links to a call, a turn, an interruption ---- */
  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const call = target.closest("details.call");
    if (!call) return;
    call.hidden = false;
    call.open = true;
    for (const found of document.querySelectorAll(".found")) found.classList.remove("found");
    if (target !== call) {
      target.classList.add("found");
      target.focus({ preventScroll: true });
      if (target.dataset.seek) call.dispatchEvent(new CustomEvent("seek", { detail: Number(target.dataset.seek) }));
    }
    call.scrollIntoView({ block: "start" });
  }
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    /* The same link twice changes no hash, and should still lead there. */
    const link = event.target.closest("a");
    if (link && (link.getAttribute("href") || "") === location.hash) follow();
  });
  document.addEventListener("DOMContentLoaded", follow);

  /* ---- printing shows every call ---- */
  addEventListener("beforeprint", () => {
    for (const call of document.querySelectorAll("details.call")) call.open = true;
  });
})();
