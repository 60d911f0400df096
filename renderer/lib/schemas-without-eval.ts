/**
 * Imported first, for its side effect: when a schema is created, zod tests whether eval is allowed, which the CSP
 * forbids and the browser reports as a violation. Zod reads this global configuration; it is loaded later, with the
 * pages that need it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
