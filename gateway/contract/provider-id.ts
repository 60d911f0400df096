/**
 * Format of a provider's id, of at most 50 characters. The gateway knows the valid ones (`listPresets` has them all).
 * Without zod, because the pages use it before their schemas are loaded.
 */
export const PROVIDER_ID = /^(?=.{1,50}$)[a-z][a-z\d]*(-[a-z\d]+)*$/;
