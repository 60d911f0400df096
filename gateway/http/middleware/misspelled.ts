import { GatewayError } from "../../core/errors.ts";
import { MCP_PATHS, correctPath } from "../area.ts";
import type { Context } from "../state.ts";

/** Before any route: an address that is nearly one is refused, and the refusal names the right one. */
export function refuseMisspelled({ method, path }: Context): void {
  const right = correctPath(path);
  if (right === path || right === "/v1" || MCP_PATHS.includes(path)) return;
  const wrong = path.slice(0, 200);
  throw new GatewayError("unknown_url", `Unknown request URL: ${method} ${wrong}. Use ${right.slice(0, 200)} instead.`);
}
