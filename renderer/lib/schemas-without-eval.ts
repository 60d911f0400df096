import * as z from "zod";

/**
 * Imported first of all, for its effect: when a schema is made, zod tries whether it may compile it, the content
 * security policy forbids that, and the browser reports a violation for the mere try.
 */
z.config({ jitless: true });
