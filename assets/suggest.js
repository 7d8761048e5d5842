/* Suggestions under the shop's search boxes. Loaded when a search box first gets the focus (see session.js). The box is a
   combobox and keeps the focus; the list beside it is empty in the page, and only this script fills it. */
(() => {
  if (window.storeSuggestions) return;
  window.storeSuggestions = true;
  const BOX = "input[role=combobox][data-suggests]";
  const PAUSE_MS = 150;
  const MIN_LETTERS = 2;
  const KINDS = { products: "Products", categories: "Categories", brands: "Brands" };
  let timer;
  let pending;

  const listOf = (box) => document.getElementById(box.getAttribute("aria-controls"));
  const statusOf = (box) => document.getElementById(`${listOf(box).id}-status`);
  const optionsOf = (box) => [...listOf(box).querySelectorAll("[role=option]")];
  const isOpen = (box) => box.getAttribute("aria-expanded") === "true";
  const activeOf = (box) => document.getElementById(box.getAttribute("aria-activedescendant"));
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

  const make = (tag, className, text = "") => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.textContent = text;
    return element;
  };

  /* Without an option, none is highlighted. */
  const highlight = (box, option) => {
    activeOf(box)?.setAttribute("aria-selected", "false");
    if (!option) {
      box.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("aria-selected", "true");
    box.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };

  /* After this, answers to earlier requests are ignored. */
  const cancel = () => {
    clearTimeout(timer);
    pending?.abort();
    pending = undefined;
  };

  const close = (box) => {
    cancel();
    highlight(box);
    box.setAttribute("aria-expanded", "false");
    const list = listOf(box);
    if (!list) return;
    list.hidden = true;
    list.replaceChildren();
    statusOf(box).textContent = "";
  };

  /* Links, so that they can be opened in a new tab; session.js sends guests to sign in first. */
  const link = (list, href, ...parts) => {
    const option = make("a", list.dataset.optionClass);
    option.href = href;
    option.id = `${list.id}-${list.querySelectorAll("[role=option]").length + 1}`;
    option.tabIndex = -1;
    option.dataset.members = "";
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.append(...parts);
    return option;
  };

  const picture = (list, url) => {
    const image = make("img", list.dataset.pictureClass);
    image.src = url.replace(/-640\.webp$/, "-320.webp");
    image.alt = "";
    image.width = 40;
    image.height = 50;
    return image;
  };

  const product = (list, { id, name, price, imageUrl }) =>
    link(
      list,
      `/product/${id}`,
      ...(imageUrl ? [picture(list, imageUrl)] : []),
      make("span", list.dataset.nameClass, name),
      make("span", list.dataset.priceClass, dollars.format(price)),
    );

  const filterLink = (list, kind, name) => {
    const parameter = { categories: "category", brands: "brand" }[kind];
    return link(list, `/?${new URLSearchParams({ [parameter]: name })}`, make("span", list.dataset.nameClass, name));
  };

  const fill = (list, found) => {
    list.replaceChildren();
    for (const [kind, heading] of Object.entries(KINDS)) {
      if (!found[kind]?.length) continue;
      const group = make("div");
      group.setAttribute("role", "group");
      const title = found.corrected && kind === "products" ? `${heading} for “${found.corrected}”` : heading;
      group.setAttribute("aria-label", title);
      const head = make("p", list.dataset.titleClass, title);
      head.setAttribute("aria-hidden", "true");
      group.append(head);
      list.append(group);
      for (const each of found[kind]) group.append(kind === "products" ? product(list, each) : filterLink(list, kind, each));
    }
  };

  const show = (box, found) => {
    const list = listOf(box);
    highlight(box);
    fill(list, found);
    const count = optionsOf(box).length;
    list.hidden = count === 0;
    list.scrollTop = 0;
    box.setAttribute("aria-expanded", String(count > 0));
    statusOf(box).textContent = count === 1 ? "1 suggestion" : `${count || "No"} suggestions`;
  };

  const ask = async (box) => {
    cancel();
    const text = box.value.trim();
    if (text.length < MIN_LETTERS) {
      close(box);
      return;
    }
    const request = (pending = new AbortController());
    try {
      const answer = await fetch(`/api/products/suggestions?${new URLSearchParams({ q: text })}`, { signal: request.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const found = await answer.json();
      if (request === pending && document.activeElement === box && box.isConnected) show(box, found);
    } catch {
      if (request === pending) close(box); // offline, or the server is too busy: the search itself still works
    }
  };

  const askSoon = (box) => {
    cancel();
    timer = setTimeout(() => ask(box), PAUSE_MS);
  };

  const step = (box, by) => {
    const options = optionsOf(box);
    const index = options.indexOf(activeOf(box)) + by;
    // Moving past either end returns to the box.
    highlight(box, index < -1 ? options.at(-1) : options[index]);
  };

  const keys = {
    ArrowDown: (box) => (isOpen(box) ? step(box, 1) : ask(box)),
    ArrowUp: (box) => step(box, -1),
    Home: (box) => highlight(box, optionsOf(box)[0]),
    End: (box) => highlight(box, optionsOf(box).at(-1)),
    Escape: close,
  };

  document.addEventListener("keydown", (event) => {
    const box = event.target.closest?.(BOX);
    if (!box || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      const option = activeOf(box);
      if (option) {
        event.preventDefault();
        option.click();
      }
      close(box);
      return;
    }
    const act = keys[event.key];
    // The key keeps its default action when the list does not handle it.
    if (!act || !(isOpen(box) || event.key === "ArrowDown")) return;
    if (["Home", "End"].includes(event.key) && !activeOf(box)) return;
    event.preventDefault();
    act(box);
  }, true);

  document.addEventListener("input", (event) => {
    const box = event.target.closest?.(BOX);
    if (box) askSoon(box);
  }, true);
  for (const name of ["submit", "reset"]) {
    document.addEventListener(name, (event) => {
      const box = event.target.querySelector?.(BOX);
      if (box) close(box);
    }, true);
  }
  document.addEventListener("focusout", (event) => {
    const box = event.target.closest?.(BOX);
    if (box) close(box);
  }, true);
  /* Pressing or scrolling the list keeps the focus in the box. */
  document.addEventListener("mousedown", (event) => event.target.closest?.("[data-suggestions]") && event.preventDefault(), true);
  document.addEventListener("click", (event) => {
    const list = event.target.closest?.("[role=option]")?.closest("[data-suggestions]");
    const box = list && document.querySelector(`[aria-controls="${list.id}"]`);
    if (box) close(box);
  });

  /* What was typed while this script was loading. */
  const typed = window.storeTyped;
  if (typed?.matches(BOX) && typed === document.activeElement) askSoon(typed);
})();
