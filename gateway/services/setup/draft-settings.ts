import type { Setup } from "../../contract/setup.ts";
import { fieldsFromText } from "../../contract/telemetry.ts";
import { GatewayError } from "../../core/errors.ts";
import { same } from "../../core/setup/same.ts";
import { secretHint } from "../../lib/redact.ts";
import type { StoredSettings } from "../../store/document.ts";
import { searchEngines } from "../search/engines.ts";
import { storeProxy } from "../proxy-choice.ts";
import type { AppSettings } from "../settings.ts";
import { checkReach, NOTHING_STORED, storedSettings } from "../settings.ts";
import { isWebhookSecret } from "../webhooks/webhook-secrets.ts";
import type { Conflicts } from "./conflicts.ts";
import type { DocumentDraft } from "./draft.ts";

/** Drafts the settings, and the secrets that belong to them. */
export async function draftSettings(
  requested: Setup,
  draft: DocumentDraft,
  settings: Pick<AppSettings, "readSetting" | "allowedTargets">,
  conflicts: Conflicts,
  now: number,
): Promise<void> {
  const stored = (): StoredSettings => draft.document.settings.get("settings") ?? NOTHING_STORED;
  for (const [name, value] of Object.entries(requested.settings ?? {}))
    await conflicts.gather("setting", name, async () => {
      const proxy = name === "proxy" ? await storeProxy(String(value), stored(), null) : {};
      await checkReach({ allow_targets: requested.settings?.allow_targets, [name]: value }, settings.allowedTargets());
      const change = { ...storedSettings({ [name]: value }), ...proxy };
      if (!Object.entries(change).every(([field, to]) => same(stored()[field as keyof typeof change] ?? null, to)))
        draft.put("settings", { ...stored(), ...change });
    });
  for (const [service, key] of Object.entries(requested.search_keys ?? {}))
    await conflicts.gather("search_key", service, () => {
      const before = stored().search_keys?.[service];
      if (before !== undefined && draft.get(before.id) === key) return;
      const { origin } = searchEngines[service as keyof typeof searchEngines];
      const made = { id: draft.addSecret(key, origin ?? ""), hint: secretHint(key) };
      draft.put("settings", { ...stored(), search_keys: { ...stored().search_keys, [service]: made } });
    });
  const { webhook_secret: secret, telemetry_headers: headers, metrics_key: metricsKey } = requested;
  if (secret !== undefined) await conflicts.gather("webhook_secret", "", () => draftWebhookSecret(secret, draft, now));
  if (headers !== undefined)
    await conflicts.gather("telemetry_headers", "", () => {
      const endpoint = settings.readSetting(stored(), "otlp_endpoint");
      if (endpoint === null)
        throw new GatewayError("conflict", "Headers go to one place alone: give 'otlp_endpoint' among the settings.");
      draftHeaders(headers, new URL(endpoint).origin, stored(), draft);
    });
  if (metricsKey !== undefined && stored().metrics_key?.hash !== metricsKey.sha256) {
    const { sha256: hash, hint = "" } = metricsKey;
    draft.put("settings", { ...stored(), metrics_key: { hash, hint, created_at: now } });
  }
}

function draftWebhookSecret(secret: string, draft: DocumentDraft, now: number): void {
  if (!isWebhookSecret(secret))
    throw new GatewayError("invalid_value", "The webhook secret must be whsec_ and the base64 of 24 to 64 bytes.");
  const records = [...draft.document.webhook_secrets.values()];
  const holding = records.find(({ signs_until: until }) => until === null);
  if (holding !== undefined && draft.get(holding.id) === secret) return;
  // The file states the secret that receivers know: the one before it signs no longer.
  if (holding !== undefined) draft.delete("webhook_secrets", holding.id);
  draft.put("webhook_secrets", { id: draft.addSecret(secret), created_at: now, signs_until: null });
}

/** @param origin the only place that they go to */
function draftHeaders(text: string, origin: string, stored: StoredSettings, draft: DocumentDraft): void {
  const before = stored.otlp_headers;
  if (before != null && before.id.endsWith(`.${origin}`) && draft.get(before.id) === text) return;
  const names = Object.keys(fieldsFromText(text) ?? {});
  draft.put("settings", { ...stored, otlp_headers: { id: draft.addSecret(text, origin), names } });
}
