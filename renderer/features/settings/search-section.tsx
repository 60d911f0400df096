import { useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { SearchTest, SearchView } from "../../../gateway/contract/search.ts";
import type { SearchProvider, Settings, ShownSetting } from "../../../gateway/contract/settings.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useSearchView } from "../../api/maintenance-queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Group, SettingFields } from "./setting.tsx";

/** Which of the settings matter for a service. */
const shown: Readonly<Record<SearchProvider, readonly ShownSetting[]>> = {
  none: ["search_provider"],
  brave: ["search_provider", "search_price_usd"],
  tavily: ["search_provider", "search_price_usd"],
  exa: ["search_provider", "search_price_usd"],
  searxng: ["search_provider", "searxng_url", "search_price_usd"],
};

/** Postern's web search for models without their own: service, key and price. */
export function SearchSection({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages().settings;
  const { data: view, error, refetch } = useSearchView();
  const { busy, test, tried } = useSearchTest();
  const { search_provider: provider } = settings;
  const published = view?.provider === provider ? view.published_usd : null;
  return (
    <Group
      title={t.search}
      help={t.searchHelp}
      actions={
        <Button
          icon={<Search size={14} aria-hidden />}
          busy={busy}
          disabled={provider === "none" || view?.problem != null}
          onClick={() => void test()}
        >
          {t.searchTest}
        </Button>
      }
    >
      <SettingFields
        group="search"
        settings={settings}
        only={shown[provider]}
        help={published === null ? {} : { search_price_usd: t.searchPublished(published) }}
      />
      {view !== undefined ? (
        view.needs_key && view.provider === provider && <SearchKey key={provider} view={view} />
      ) : error === null ? (
        <SkeletonRows rows={1} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      {view?.problem != null && (!view.needs_key || view.key_hint !== null) && (
        <NoticeLine level="warning">{view.problem}</NoticeLine>
      )}
      {tried !== null && (
        <NoticeLine level={tried.ok ? "info" : "danger"}>
          {tried.ok ? t.searchFound(tried.results, tried.ms) : tried.message}
        </NoticeLine>
      )}
    </Group>
  );
}

/** A key is write-only. */
function SearchKey({ view }: { readonly view: SearchView }): ReactNode {
  const t = useMessages().settings;
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const [draft, setDraft] = useState("");
  const [busy, setBusy] = useState(false);
  const { provider, key_hint: hint, keys_url: link } = view;
  const keep = async (key: string | null): Promise<void> => {
    if (provider === "none" || provider === "searxng") return;
    setBusy(true);
    try {
      cache.setQueryData([queryNames.search], await client.call("setSearchKey", { provider, key }));
      setDraft("");
      notify.confirm(key === null ? t.searchKeyRemoved : t.searchKeyKept);
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.trim() !== "") void keep(draft.trim());
      }}
    >
      <TextField
        className="max-w-120 grow basis-60"
        label={t.searchKey}
        type="password"
        mono
        value={draft}
        placeholder={hint === null ? "" : hint}
        help={
          link !== null && (
            <a href={link} target="_blank" rel="noreferrer" className="inline-block leading-6">
              {t.searchKeyMake}
            </a>
          )
        }
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="flex gap-2 min-[560px]:mt-6.5">
        <Button type="submit" busy={busy} disabled={draft.trim() === ""}>
          {t.searchKeyKeep}
        </Button>
        {hint !== null && (
          <Button look="quiet" busy={busy} onClick={() => void keep(null)}>
            {t.searchKeyRemove}
          </Button>
        )}
      </div>
    </form>
  );
}

function useSearchTest() {
  const notify = useNotify();
  const { client } = useGateway();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState<SearchTest | null>(null);
  const test = async (): Promise<void> => {
    setBusy(true);
    setTried(null);
    try {
      setTried(await client.call("testSearch"));
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, tried, test };
}
