/**
 * Paths that the pages call before the schemas of the other operations are made, which takes them longer than everything
 * else until then.
 */
export const OPEN_SESSION = { method: "POST", path: "/control/session" } as const;

/** `GET ?nonce=`: `{proof}`, by which a Postern shows that it holds the control token of its folder. Needs no bearer. */
export const CONTROL_PROOF_PATH = "/control/proof";

/** `GET`: `text/event-stream` of `GatewayEvent`, read with fetch because it needs the bearer. */
export const CONTROL_EVENTS_PATH = "/control/events";
