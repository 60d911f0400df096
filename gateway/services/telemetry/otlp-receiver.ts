import { fieldsFromText } from "../../contract/telemetry.ts";
import { GatewayError } from "../../core/errors.ts";
import type { SignalPath } from "../../core/telemetry/otlp-response.ts";
import { redact } from "../../lib/redact.ts";
import type { Store } from "../../store/store.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { ServiceClient, ServiceReply } from "../../upstream/service-client.ts";
import type { Events } from "../events.ts";
import type { AppSettings } from "../settings.ts";

export interface OtlpReceiverDeps {
  readonly store: Pick<Store, "secrets" | "change">;
  readonly settings: AppSettings;
  readonly events: Pick<Events, "emit">;
  readonly client: ServiceClient;
}

type Fields = Readonly<Record<string, string>>;
const NO_FIELDS: Fields = {};
/** People copy the address of one signal. */
const SIGNAL = /(?:\/v1\/(?:traces|metrics|logs))?\/*$/;

/** The receiver of telemetry, and its headers, which are a secret. */
export class OtlpReceiver {
  readonly #deps: OtlpReceiverDeps;

  constructor(deps: OtlpReceiverDeps) {
    this.#deps = deps;
  }

  /** Null: nothing is sent. */
  get endpoint(): string | null {
    return this.#deps.settings.get("otlp_endpoint");
  }

  /** Key of the setup, the same while endpoint, signals and headers are unchanged. */
  get setup(): string {
    return JSON.stringify([this.endpoint, this.#deps.settings.get("otlp_signals"), this.#stored?.id]);
  }

  wants(signal: SignalPath): boolean {
    const signals = this.#deps.settings.get("otlp_signals");
    return this.endpoint !== null && (signals === "both" || `/v1/${signals}` === signal);
  }

  get headerNames(): readonly string[] {
    return this.#stored?.names ?? [];
  }

  /** Why nothing can be sent, as a sentence with the remedy; null if sending works. */
  get problem(): string | null {
    if (this.endpoint === null || this.#fields() !== null) return null;
    const again = "set them again, or remove them, under Settings > Telemetry or with `postern telemetry headers`";
    if (!this.#isBound) return `The headers were set for another receiver: ${again}.`;
    return this.#deps.store.secrets.locked ?? `The headers cannot be read any more: ${again}.`;
  }

  /** @throws UpstreamFailure if there is no response */
  async post(signal: SignalPath, body: string, ended: AbortSignal): Promise<ServiceReply> {
    const { endpoint, problem } = this;
    const fields = this.#fields();
    if (endpoint === null || fields === null)
      throw new UpstreamFailure("refused", false, problem ?? "no receiver is set");
    const url = new URL(endpoint);
    url.pathname = url.pathname.replace(SIGNAL, signal);
    const headers = { ...fields, "content-type": "application/json" };
    return this.#deps.client.ask({ method: "POST", url: url.href, headers, body, named: true }, ended);
  }

  /** Removes header values from a sentence, which a receiver may have repeated. */
  clean(sentence: string): string {
    return redact(
      sentence,
      Object.values(this.#fields() ?? NO_FIELDS).flatMap((value) => [value, ...value.split(" ")]),
    );
  }

  /**
   * Sets headers bound to the current receiver.
   * @param text lines of headers; null removes them
   * @throws GatewayError storage_unavailable while secrets cannot be written, conflict if there is no receiver
   */
  async setHeaders(text: string | null): Promise<void> {
    const { store, settings, events } = this.#deps;
    const { locked } = store.secrets;
    if (locked !== null) throw new GatewayError("storage_unavailable", locked);
    const before = this.#stored;
    const names = Object.keys(fieldsFromText(text ?? "") ?? NO_FIELDS);
    const remove = text === null || names.length === 0;
    if (!remove && this.#origin === null) {
      throw new GatewayError("conflict", "Set the address of the receiver first: headers go to one place alone.");
    }
    const otlp_headers = remove ? null : { id: await store.secrets.add(text, this.#origin ?? ""), names };
    await store.change("settings", "settings", (newest) => ({ ...(newest ?? settings.stored), otlp_headers }));
    // When the disk refuses this, they stay in the secrets file, encrypted, and nothing names them.
    if (before !== undefined) await store.secrets.remove([before.id]).catch(() => undefined);
    events.emit({ type: "settings.changed" });
  }

  get #stored() {
    return this.#deps.settings.stored.otlp_headers ?? undefined;
  }

  get #origin(): string | null {
    const { endpoint } = this;
    return endpoint === null ? null : new URL(endpoint).origin;
  }

  get #isBound(): boolean {
    return this.#stored?.id.endsWith(`.${this.#origin}`) ?? true;
  }

  /** Null if they cannot be decrypted, or belong to another receiver. */
  #fields(): Fields | null {
    const stored = this.#stored;
    if (stored === undefined) return NO_FIELDS;
    if (!this.#isBound) return null;
    const text = this.#deps.store.secrets.get(stored.id);
    return text === undefined ? null : fieldsFromText(text);
  }
}
