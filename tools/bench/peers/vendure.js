// A Vendure shop on SQLite: `node vendure.js fill` imports the products of a file, `node vendure.js` serves the Shop API.
// PACKAGES is the folder of node_modules, DATABASE the file, CATALOGUE the products, an object of JSON a line.
// Its database does not wait for the disk (synchronous=NORMAL), which is more than its own defaults grant it.

const fs = require('fs');
const { createRequire } = require('module');
const { CATALOGUE, DATABASE, PACKAGES, PORT } = process.env;
const load = createRequire(`${PACKAGES}/package.json`);
const vendure = load('@vendure/core');
const queue = load('@vendure/core/dist/job-queue/in-memory-job-queue-strategy.js');
const isFilling = process.argv[2] === 'fill';
const QUIET_SECONDS = 12;

const config = {
  apiOptions: { hostname: '127.0.0.1', port: Number(PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: 'bearer',
    requireVerification: false,
    superadminCredentials: { identifier: 'bench', password: 'bench' },
  },
  dbConnectionOptions: {
    type: 'better-sqlite3',
    database: DATABASE,
    synchronize: isFilling,
    prepareDatabase: (database) => {
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL');
    },
  },
  importExportOptions: { importAssetsDir: PACKAGES },
  jobQueueOptions: {
    jobQueueStrategy: new queue.InMemoryJobQueueStrategy({ pollInterval: isFilling ? 1 : 200, concurrency: 1 }),
  },
  logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Warn }),
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  plugins: [
    vendure.DefaultSearchPlugin.init({ bufferUpdates: false, indexStockStatus: false }),
    vendure.DefaultSchedulerPlugin.init(),
  ],
};

async function fill() {
  const products = fs.readFileSync(CATALOGUE, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const file = `${DATABASE}.csv`;
  fs.writeFileSync(file, [HEADS.join(','), ...products.map(csvLine)].join('\n'));
  const { populate } = load('@vendure/core/cli');
  const app = await populate(start, initialData(products), file);
  await settle(app.get(vendure.TransactionalConnection).rawConnection);
  await app.close();
  fs.unlinkSync(file);
}

async function start() {
  const app = await vendure.bootstrap(config);
  await app.get(vendure.JobQueueService).start();
  return app;
}

const HEADS = [
  'name', 'slug', 'description', 'assets', 'facets', 'optionGroups', 'optionValues', 'sku', 'price', 'taxCategory',
  'stockOnHand', 'trackInventory', 'variantAssets', 'variantFacets',
];

function csvLine({ id, sku, name, description, category, price_cents }) {
  const price = (price_cents / 100).toFixed(2);
  return [
    name, `product-${id}`, description, '', `category:${category}`, '', '', sku, price, 'standard', 10_000_000, 'true',
    '', '',
  ].map((value) => `"${String(value).replaceAll('"', '""')}"`).join(',');
}

function initialData(products) {
  const slugs = new Map(products.map((product) => [product.category, product.category_slug]));
  return {
    defaultLanguage: vendure.LanguageCode.en,
    defaultZone: 'World',
    countries: [{ name: 'United States', code: 'US', zone: 'World' }],
    taxRates: [{ name: 'Standard', percentage: 0 }],
    shippingMethods: [{ name: 'Standard', price: 2500, taxRate: 0 }],
    paymentMethods: [
      {
        name: 'Cash',
        handler: { code: vendure.dummyPaymentHandler.code, arguments: [{ name: 'automaticSettle', value: 'true' }] },
      },
    ],
    collections: [...slugs].map(([name, slug]) => ({
      name,
      slug,
      filters: [{ code: 'facet-value-filter', args: { facetValueNames: [name], containsAny: false } }],
    })),
    roles: [],
  };
}

// The importer's jobs, which index products and assign them to collections, are done when nothing more is written.
async function settle(connection) {
  const count = async (table) => (await connection.query(`select count(*) as rows from ${table}`))[0].rows;
  let before = '';
  for (let quiet = 0; quiet < QUIET_SECONDS; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = [await count('search_index_item'), await count('collection_product_variants_product_variant')].join();
    if (now !== before) quiet = -1;
    before = now;
  }
}

(isFilling ? fill().then(() => process.exit(0)) : vendure.bootstrap(config)).catch((error) => {
  console.error(error);
  process.exit(1);
});
