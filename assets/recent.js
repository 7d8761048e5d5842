/* The row 'Recently viewed' on a product's page: products that were opened in this browser before. Its texts are in
   `components/products/recently_viewed.py`. The list stays in this browser; when the row comes near the screen, the
   remembered products are fetched from the public API, without cookies. */
(() => {
  if (window.storeRecent) return;
  window.storeRecent = true;
  const KEY = "recentlyViewed";
  const MAX_STORED = 12;
  const MAX_SHOWN = 6;
  const MAX_CHARACTERS = 20_000; // twelve products take a fifth of it
  const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  let pending;

  const findSection = () => document.querySelector("[data-recent]");

  const isUsable = (product) =>
    Number.isSafeInteger(product?.id) && product.id > 0 &&
    typeof product.name === "string" && product.name !== "" && product.name.length <= 300 &&
    typeof product.price === "string" && /^\$[\d,]+\.\d\d$/.test(product.price) &&
    typeof product.image === "string" && /^\/\w[\w/.-]*$/.test(product.image) &&
    Date.now() - product.at >= 0 && Date.now() - product.at < LIFETIME_MS;

  /* Only what is usable: any script or user may have written to this storage. */
  const readStored = () => {
    try {
      const text = localStorage.getItem(KEY) ?? "[]";
      const stored = text.length > MAX_CHARACTERS ? [] : JSON.parse(text);
      return Array.isArray(stored) ? stored.filter(isUsable).slice(0, MAX_STORED) : [];
    } catch {
      return [];
    }
  };

  const store = (products) => {
    try {
      products.length ? localStorage.setItem(KEY, JSON.stringify(products)) : localStorage.removeItem(KEY);
    } catch {
      /* the storage is full: nothing is remembered */
    }
  };

  const isAgeVerified = () => localStorage.getItem("ageVerified") === "true"; // see gate.js

  const remember = () => {
    const { id, name, price, image } = findSection()?.dataset ?? {};
    // On the way to another product, the page still holds the previous one.
    if (!id || location.pathname.replace(/\/$/, "") !== `/product/${id}` || !isAgeVerified()) return;
    const product = { id: Number(id), name, price, image, at: Date.now() };
    const others = readStored().filter((other) => other.id !== product.id);
    if (isUsable(product)) store([product, ...others].slice(0, MAX_STORED));
  };

  /* The product as it is sold now; null when it no longer is. Without an answer, as it was when it was viewed. */
  const refresh = async (product, signal) => {
    try {
      const answer = await fetch(`/api/products/${product.id}`, { credentials: "omit", signal });
      if (answer.status === 404) return null;
      if (!answer.ok) return product;
      const { name, price, imageUrl } = await answer.json();
      const now = { ...product, name, price: dollars.format(price), image: imageUrl };
      return isUsable(now) ? now : product;
    } catch {
      return product;
    }
  };

  const row = (template, product) => {
    const copy = template.cloneNode(true);
    const link = copy.querySelector("a");
    link.href = `/product/${product.id}`;
    link.textContent = product.name;
    copy.querySelector("[data-price]").textContent = product.price;
    copy.querySelector("img").src = product.image.replace(/-640\.webp$/, "-320.webp");
    return copy;
  };

  const show = (section, products) => {
    const template = section.querySelector("[data-recent-template] > li");
    section.querySelector("[data-recent-list]").replaceChildren(...products.map((product) => row(template, product)));
    section.querySelector("section").hidden = products.length === 0;
  };

  const fill = async (section) => {
    pending?.abort();
    const request = (pending = new AbortController());
    const others = readStored().filter((product) => String(product.id) !== section.dataset.id).slice(0, MAX_SHOWN);
    const now = await Promise.all(others.map((product) => refresh(product, request.signal)));
    if (request !== pending || !section.isConnected) return;
    const withdrawn = others.filter((_, at) => now[at] === null).map((product) => product.id);
    if (withdrawn.length) store(readStored().filter((product) => !withdrawn.includes(product.id)));
    show(section, now.filter(Boolean));
  };

  const nearScreen = new IntersectionObserver((entries) => {
    for (const each of entries) {
      if (!each.isIntersecting) continue;
      nearScreen.unobserve(each.target);
      fill(each.target);
    }
  }, { rootMargin: "300px" });

  /* Clears the previous page's products. Observing again reports at once if the row is already near the screen. */
  const update = () => {
    pending?.abort();
    pending = undefined;
    nearScreen.disconnect();
    const section = findSection();
    if (!section) return;
    show(section, []);
    remember();
    nearScreen.observe(section);
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-recent-clear]")) return;
    store([]);
    pending?.abort();
    pending = undefined;
    show(findSection(), []);
    document.querySelector("main").focus({ preventScroll: true });
  });
  /* Cleared, or signed out, in another tab. */
  addEventListener("storage", (event) => {
    const section = findSection();
    if (section && (event.key === KEY || event.key === null) && readStored().length === 0) show(section, []);
  });
  addEventListener("store:product-changed", update);
  update();
})();
