import { useMemo } from "react";
import { PROVIDER_ID } from "../../../gateway/contract/provider-id.ts";
import { replaceParams, useRoute, type Route } from "../../lib/router.ts";

/** Target of a `postern:` link, which the desktop app put into the address (main/policy/deep-link.ts). */
export type Link = ConnectLink | { readonly kind: "key"; readonly name: string };

export interface ConnectLink {
  readonly kind: "connect";
  /** May be unknown: the presets have the valid ones. */
  readonly provider: string;
  /** Empty: the provider's own. */
  readonly baseUrl: string;
  readonly name: string;
}

const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 500;
const LINK_PARAMS = { link: null, provider: null, base_url: null, name: null };

/** Reads the link of an address; null without one. It only fills in a dialog. */
export function getLink({ path, params }: Route): Link | null {
  const name = (params.get("name") ?? "").slice(0, LONGEST_NAME);
  const kind = params.get("link");
  if (kind === "key" && path === "keys") return { kind, name };
  if (kind !== "connect" || path !== "connections") return null;
  const provider = params.get("provider") ?? "";
  if (!PROVIDER_ID.test(provider)) return null;
  return { kind, provider, baseUrl: (params.get("base_url") ?? "").slice(0, LONGEST_ADDRESS), name };
}

/** `leave` takes the link out of the address: its dialog is closed. */
export function useLink(): { readonly link: Link | null; leave(): void } {
  const route = useRoute();
  const link = useMemo(() => getLink(route), [route]);
  return { link, leave: () => replaceParams(LINK_PARAMS) };
}
