/**
 * The form of a provider's id, of 50 characters at most. Which there are, the gateway knows (`listPresets` names each).
 * Without zod: the pages read it before their schemas are loaded.
 */
export const PROVIDER_ID = /^(?=.{1,50}$)[a-z][a-z\d]*(-[a-z\d]+)*$/;
