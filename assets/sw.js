/* The store's service worker caches the hashed files under /assets/, which never change, and one offline page. It never
   caches what the server renders: no page and nothing of /api. The build replaces BUILD by an id of its own. */
const CACHE = "store-BUILD";
const OFFLINE = "/offline/";

const cacheOfflinePage = async () => (await caches.open(CACHE)).add(new Request(OFFLINE, { cache: "reload" }));

addEventListener("install", (event) => event.waitUntil(cacheOfflinePage().then(() => skipWaiting())));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
})()));

const fromCache = async (request) => {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request, answer.clone());
  return answer;
};

const fetchPage = async (request) => {
  try {
    return await fetch(request);
  } catch {
    return (await (await caches.open(CACHE)).match(OFFLINE)) ?? Response.error();
  }
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (pathname.startsWith("/assets/")) event.respondWith(fromCache(request));
  else if (request.mode === "navigate") {
    event.respondWith(fetchPage(request));
    // Signing out empties every cache.
    event.waitUntil(caches.match(OFFLINE).then((page) => page ?? cacheOfflinePage()).catch(() => {}));
  }
});

/* `admin.js` shows a notification for each new order: a click on it opens the orders. */
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const orders = new URL("/admin?tab=orders", location.origin).href;
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = windows.find((each) => each.url.startsWith(orders));
    await (open ? open.focus() : clients.openWindow(orders));
  })());
});
