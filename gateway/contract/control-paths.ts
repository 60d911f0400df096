/**
 * Paths that the pages call before the schemas of other operations are created, the slowest step of loading.
 */
export const OPEN_SESSION = { method: "POST", path: "/control/session" } as const;

/**
 * `GET ?nonce=`: returns `{proof}`, by which a Postern proves that it has the control token of its folder. Needs no
 * bearer.
 */
export const CONTROL_PROOF_PATH = "/control/proof";

/** `GET`: `text/event-stream` of `GatewayEvent`, read with fetch because it needs the bearer. */
export const CONTROL_EVENTS_PATH = "/control/events";
