/* "Recently viewed" on a product's page (`components/recently_viewed.py`). The list stays in this browser; when
   the row comes near the screen, the public product API is asked for the remembered ids, without cookies. */
(() => {
  if (window.storeRecent) return;
  window.storeRecent = true;
  const KEY = "recentlyViewed";
  const MOST = 12;
  const SHOWN = 6;
  const LONGEST = 20_000; // characters; twelve products take a fifth of it
  const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  let asking;

  const section = () => document.querySelector("[data-recent]");

  const isProduct = (product) =>
    Number.isSafeInteger(product?.id) && product.id > 0 &&
    typeof product.name === "string" && product.name !== "" && product.name.length <= 300 &&
    typeof product.price === "string" && /^\$[\d,]+\.\d\d$/.test(product.price) &&
    typeof product.image === "string" && /^\/\w[\w/.-]*$/.test(product.image) &&
    Date.now() - product.at >= 0 && Date.now() - product.at < LIFETIME_MS;

  /* Anything may have been written there. */
  const recall = () => {
    try {
      const text = localStorage.getItem(KEY) ?? "[]";
      const stored = text.length > LONGEST ? [] : JSON.parse(text);
      return Array.isArray(stored) ? stored.filter(isProduct).slice(0, MOST) : [];
    } catch {
      return [];
    }
  };

  const keep = (products) => {
    try {
      products.length ? localStorage.setItem(KEY, JSON.stringify(products)) : localStorage.removeItem(KEY);
    } catch {
      /* full: nothing is remembered */
    }
  };

  const hasPassedTheGate = () => localStorage.getItem("ageVerified") === "true"; // see gate.js

  const remember = () => {
    const { id, name, price, image } = section()?.dataset ?? {};
    // On the way to another product the page still holds the last one.
    if (!id || location.pathname.replace(/\/$/, "") !== `/product/${id}` || !hasPassedTheGate()) return;
    const product = { id: Number(id), name, price, image, at: Date.now() };
    if (isProduct(product)) keep([product, ...recall().filter((other) => other.id !== product.id)].slice(0, MOST));
  };

  /* The product as it is sold now; null when it no longer is. Without an answer, as it was when it was viewed. */
  const refresh = async (product, signal) => {
    try {
      const answer = await fetch(`/api/products/${product.id}`, { credentials: "omit", signal });
      if (answer.status === 404) return null;
      if (!answer.ok) return product;
      const { name, price, imageUrl } = await answer.json();
      const now = { ...product, name, price: dollars.format(price), image: imageUrl };
      return isProduct(now) ? now : product;
    } catch {
      return product;
    }
  };

  const row = (model, product) => {
    const made = model.cloneNode(true);
    const link = made.querySelector("a");
    link.href = `/product/${product.id}`;
    link.textContent = product.name;
    made.querySelector("[data-price]").textContent = product.price;
    made.querySelector("img").src = product.image.replace(/-640\.webp$/, "-320.webp");
    return made;
  };

  const show = (place, products) => {
    const model = place.querySelector("[data-recent-model] > li");
    place.querySelector("[data-recent-list]").replaceChildren(...products.map((product) => row(model, product)));
    place.querySelector("section").hidden = products.length === 0;
  };

  const fill = async (place) => {
    asking?.abort();
    const mine = (asking = new AbortController());
    const others = recall().filter((product) => String(product.id) !== place.dataset.id).slice(0, SHOWN);
    const now = await Promise.all(others.map((product) => refresh(product, mine.signal)));
    if (mine !== asking || !place.isConnected) return;
    const unsold = others.filter((_, at) => now[at] === null).map((product) => product.id);
    if (unsold.length) keep(recall().filter((product) => !unsold.includes(product.id)));
    show(place, now.filter(Boolean));
  };

  const near = new IntersectionObserver((seen) => {
    for (const each of seen) {
      if (!each.isIntersecting) continue;
      near.unobserve(each.target);
      fill(each.target);
    }
  }, { rootMargin: "300px" });

  /* Clears the previous page's products. Observing again reports at once if the row is already near. */
  const review = () => {
    asking?.abort();
    asking = undefined;
    near.disconnect();
    const place = section();
    if (!place) return;
    show(place, []);
    remember();
    near.observe(place);
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-recent-clear]")) return;
    keep([]);
    asking?.abort();
    asking = undefined;
    show(section(), []);
    document.querySelector("main").focus({ preventScroll: true });
  });
  /* Cleared, or signed out, in another tab. */
  addEventListener("storage", (event) => {
    const place = section();
    if (place && (event.key === KEY || event.key === null) && recall().length === 0) show(place, []);
  });
  addEventListener("store:product-shown", review);
  review();
})();
