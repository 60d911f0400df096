import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { requestFigureSchema } from "../../../gateway/contract/list.ts";
import { outcomeSchema } from "../../../gateway/contract/receipt.ts";
import { statusClassSchema } from "../../../gateway/contract/list.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useConnections, useKeys, useModels } from "../../api/queries.ts";
import { ChoiceChip } from "../../components/ui/choice-chip.tsx";
import { DaysDialog } from "../../components/ui/days-dialog.tsx";
import { daysInWords, momentsInWords } from "../../lib/days-in-words.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { getName } from "../../lib/names.ts";
import { replaceParams } from "../../lib/router.ts";
import { areOpenDays } from "../../lib/typed.ts";
import type { Messages } from "../../locales/messages.ts";
import { filters, noTime, rangeNames, rangeOf } from "./request-filter.ts";
import { getSort } from "./request-sort.ts";

export interface RequestFiltersProps {
  readonly params: URLSearchParams;
  readonly keyName: (id: string) => string;
}

/** Filters of the log, as chips; each of them lives in the address. */
export function RequestFilters({ params, keyName }: RequestFiltersProps): ReactNode {
  const { t, language } = useSpeech();
  const words = t.requestLog;
  const { data: keys = [] } = useKeys();
  const { data: models = [] } = useModels();
  const clients = useUsed("client");
  const projects = useUsed("project");
  const [typing, setTyping] = useState(false);

  const chip = (name: string, label: string, ids: readonly string[], called: (id: string) => string): ReactNode => {
    const chosen = params.get(name) ?? "";
    const all = chosen === "" || ids.includes(chosen) ? ids : [...ids, chosen];
    return (
      <ChoiceChip
        label={label}
        chosen={chosen === "" ? null : called(chosen)}
        value={chosen}
        choices={[{ id: "", label: words.any }, ...all.map((id) => ({ id, label: called(id) }))]}
        onChoose={(value) => replaceParams({ [name]: value })}
        onRemove={() => replaceParams({ [name]: null })}
      />
    );
  };
  const itself = (id: string): string => id;

  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1 px-1.5 pb-1.5">
      <legend className="sr-only">{t.tasks.filters}</legend>
      {chip("status", t.requests.status, statusClassSchema.options, (id) => getName(words.statusClasses, id))}
      {chip("outcome", t.requests.outcome, outcomeSchema.options, (id) => getName(t.requests.outcomes, id))}
      {chip("model", t.requests.model, models.map(({ id }) => id).toSorted(), itself)}
      {chip(
        "key",
        t.requests.key,
        keys.map(({ id }) => id),
        keyName,
      )}
      {chip("client", t.requests.client, clients, itself)}
      {chip("endpoint", t.requests.endpoint, Object.keys(t.requests.endpoints), (id) =>
        getName(t.requests.endpoints, id),
      )}
      <ProviderChip params={params} />
      {(projects.length > 0 || params.has("project")) && chip("project", t.sessions.project, projects, itself)}
      {params.has("session") && chip("session", t.sessions.session, [], itself)}
      {params.has("agent") && chip("agent", t.sessions.agent, [], itself)}
      <ChoiceChip
        label={t.requests.time}
        chosen={rangeInWords(params, t, language)}
        value={params.get("range") ?? ""}
        choices={[{ id: "", label: words.any }, ...rangeNames.map((id) => ({ id, label: words.ranges[id] }))]}
        onChoose={(range) => replaceParams({ ...noTime, range })}
        onRemove={() => replaceParams(noTime)}
        other={{ label: t.tasks.custom, onSelect: () => setTyping(true) }}
      />
      <SortChip params={params} />
      <DaysDialog
        open={typing}
        title={t.table.days.title}
        params={params}
        check={({ from, to }) => (areOpenDays(from, to) ? null : t.table.days.invalid)}
        onClose={() => setTyping(false)}
      />
    </fieldset>
  );
}

/** Sort order of the log, also if the sorted column does not fit. */
function SortChip({ params }: { readonly params: URLSearchParams }): ReactNode {
  const { requestLog: words } = useMessages();
  const sort = getSort(params);
  return (
    <ChoiceChip
      label={words.sort}
      chosen={sort === null ? null : words.sorts[sort.by]}
      value={sort?.by ?? ""}
      choices={[
        { id: "", label: words.newest },
        ...requestFigureSchema.options.map((by) => ({ id: by, label: words.sorts[by] })),
      ]}
      onChoose={(by) => replaceParams({ sort: by, order: null })}
      onRemove={() => replaceParams({ sort: null, order: null })}
    />
  );
}

/** The sandbox has a connection per provider: all of them are included. */
const SANDBOX = "sandbox";

/** Chip of a connection; or of a provider with all its connections, as other pages and addresses use it. */
function ProviderChip({ params }: { readonly params: URLSearchParams }): ReactNode {
  const t = useMessages();
  const { data: connections = [] } = useConnections();
  const connection = params.get("connection") ?? "";
  const provider = params.get("provider") ?? "";
  const names = connections.map(({ id, name }) => ({ id, label: name }));
  const ofConnection = names.find(({ id }) => id === connection)?.label ?? connection;
  return (
    <ChoiceChip
      label={t.requests.provider}
      chosen={[ofConnection, provider].filter((name) => name !== "").join(t.app.comma) || null}
      value={connection === "" && provider === SANDBOX ? SANDBOX : connection}
      choices={[{ id: "", label: t.requestLog.any }, ...names, { id: SANDBOX, label: SANDBOX }]}
      onChoose={(id) =>
        replaceParams(id === SANDBOX ? { connection: null, provider: id } : { connection: id, provider: null })
      }
      onRemove={() => replaceParams({ connection: null, provider: null })}
    />
  );
}

/** Returns the clients or projects with requests this month, most expensive first. */
function useUsed(by: "client" | "project"): readonly string[] {
  const { client } = useGateway();
  const { data } = useQuery({
    queryKey: ["requestsUsed", by],
    queryFn: async () => (await client.call("usage", { by })).data.map(({ group }) => group),
  });
  return (data ?? []).filter((name) => name !== "").slice(0, 50);
}

function rangeInWords(params: URLSearchParams, t: Messages, language: string): string | null {
  const { since, until } = filters.getValues(params);
  const moments = momentsInWords(since, until, t, language);
  if (moments !== null) return moments;
  const range = rangeOf(params.get("range") ?? "");
  return range === undefined ? daysInWords(params, t, language) : t.requestLog.ranges[range];
}
