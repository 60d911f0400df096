import { networkInterfaces } from "node:os";
import type { AddressView } from "../contract/address.ts";
import type { AppSettings } from "./settings.ts";

const DEFAULT_PORT = 6174;
const THIS_MACHINE = "127.0.0.1";
const EVERY_MACHINE = "0.0.0.0";

/** The address from the command line or the environment; null if neither sets it. */
export interface GivenAddress {
  readonly host: string | null;
  readonly port: number | null;
}

/** Decides the address to listen on: command line and environment first, then settings, which apply from the next start. */
export class ListenAddress {
  readonly #given: GivenAddress;
  readonly #settings: AppSettings;
  #requested: { readonly host: string; readonly port: number } | null = null;

  constructor(given: GivenAddress, settings: AppSettings) {
    this.#given = given;
    this.#settings = settings;
  }

  /** The address of this start, a port of 0 included: by the settings at the moment of the first read. */
  get requested(): { readonly host: string; readonly port: number } {
    return (this.#requested ??= this.#next());
  }

  /** @param url the address that this start listens on */
  view(url: string, canRestart: boolean): AddressView {
    const next = this.#next();
    const port = Number(new URL(url).port);
    const { host } = this.requested;
    return {
      url,
      host,
      port,
      others: isForOthers(host) ? machineAddresses().map((address) => `http://${address}:${port}`) : [],
      fixed: { host: this.#given.host !== null, port: this.#given.port !== null },
      next,
      restart_needed: next.host !== host || next.port !== this.requested.port,
      can_restart: canRestart,
    };
  }

  #next(): { host: string; port: number } {
    const { lan, port } = this.#settings.stored;
    return {
      host: this.#given.host ?? (lan === true ? EVERY_MACHINE : THIS_MACHINE),
      port: this.#given.port ?? port ?? DEFAULT_PORT,
    };
  }
}

const isForOthers = (host: string): boolean => host === EVERY_MACHINE || host === "::" || host === "";

/** Returns this machine's addresses on its networks: IPv4, which people can type. */
function machineAddresses(): string[] {
  const entries = Object.values(networkInterfaces()).flat();
  return entries.flatMap((entry) => (entry?.family === "IPv4" && !entry.internal ? [entry.address] : []));
}
