/**
 * Imported first of all, for its effect: when a schema is made, zod tries whether it may compile it, the content
 * security policy forbids that, and the browser reports a violation for the mere try. This is where zod looks for its
 * configuration; it comes with the pages that need it, later than this.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
