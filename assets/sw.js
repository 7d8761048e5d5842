/* The store's service worker caches the hashed files under /assets/, which never change, and one offline page. It never
   caches what the server renders: no page with data and nothing of /api. For those who open the driver's page it keeps
   that page, which contains no data, and its files. The build replaces BUILD with its id and FILES with their paths. */
const CACHE = "store-BUILD";
const OFFLINE = "/offline/";
const DRIVE = "/drive/";
const DRIVE_FILES = "FILES".split(" ");

const cacheOfflinePage = async () => (await caches.open(CACHE)).add(new Request(OFFLINE, { cache: "reload" }));

/* All or nothing: the page of one build does not work with the files of another. */
const cacheDrive = async () =>
  (await caches.open(CACHE)).addAll([DRIVE, ...DRIVE_FILES].map((path) => new Request(path, { cache: "reload" })));

addEventListener("install", (event) => event.waitUntil((async () => {
  await cacheOfflinePage();
  // A driver who is out must not lose the page to a new build.
  if (await caches.match(DRIVE)) await cacheDrive();
  await skipWaiting();
})()));

addEventListener("message", (event) => {
  if (event.data === "keep drive") event.waitUntil(cacheDrive().catch(() => {}));
});

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
})()));

const fromCache = async (request) => {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request, answer.clone()).catch(() => {}); // there may be no space left
  return answer;
};

const fetchPage = async (request) => {
  try {
    return await fetch(request);
  } catch {
    return (await (await caches.open(CACHE)).match(OFFLINE)) ?? Response.error();
  }
};

const isDrive = (pathname) => pathname === DRIVE || `${pathname}/` === DRIVE;

/* The cache before the network: a driver with a weak signal would have to wait for a timeout. */
const keptOr = async (path, otherwise) => (await (await caches.open(CACHE)).match(path)) ?? otherwise();

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (pathname.startsWith("/assets/")) event.respondWith(fromCache(request));
  else if (DRIVE_FILES.includes(pathname)) event.respondWith(keptOr(pathname, () => fetch(request)));
  else if (request.mode === "navigate") {
    const answer = () => fetchPage(request);
    event.respondWith(isDrive(pathname) ? keptOr(DRIVE, answer) : answer());
    // Signing out empties every cache, so the offline page is cached again.
    event.waitUntil(caches.match(OFFLINE).then((page) => page ?? cacheOfflinePage()).catch(() => {}));
  }
});

/* `admin.js` shows a notification for each new order: a click on it opens the orders. */
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const orders = new URL("/admin?tab=orders", location.origin).href;
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const ordersWindow = windows.find((each) => each.url.startsWith(orders));
    await (ordersWindow ? ordersWindow.focus() : clients.openWindow(orders));
  })());
});
