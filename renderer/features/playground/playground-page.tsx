import { Tabs } from "@base-ui/react/tabs";
import { Plug } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useModels } from "../../api/queries.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { ChatTab } from "./chat/chat-tab.tsx";
import { capabilityOf, isKind, chooseKind, kinds, type Kind } from "./kinds.ts";
import { MediaTab } from "./media/media-tab.tsx";
import { takeAddress } from "./take-address.ts";
import { useGivenMedia } from "./use-given-media.ts";

/** The tab that was open last, for an address that names none. */
let lastKind: Kind = "chat";

/**
 * Playground for all models, using the same `/v1` calls as any client. The address has kind and model:
 * `#/playground?kind=image&model=…&prompt=…`, and `MediaAddress` its initial input.
 */
export function PlaygroundPage(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const { params } = useRoute();
  const { data: models, error, refetch } = useModels();
  const named = params.get("kind") ?? params.get("model");
  const kind = named === null ? lastKind : chooseKind(params.get("kind"), params.get("model"), models ?? []);
  const consumed = useRef<string | null>(null);
  const address = params.toString();

  // Applies the fields of an address once, before anything is typed.
  useEffect(() => {
    if (models === undefined) return;
    lastKind = kind;
    const first = consumed.current !== address;
    consumed.current = address;
    takeAddress(kind, first ? params : new URLSearchParams(), models);
  }, [models, kind, address, params]);
  useGivenMedia(kind, params);

  // A narrow window may hide the open tab past its edge.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.children[kinds.indexOf(kind)]?.getBoundingClientRect();
    const frame = list.current?.getBoundingClientRect();
    if (tab === undefined || frame === undefined) return;
    const beyond = Math.max(0, tab.right - frame.right) + Math.min(0, tab.left - frame.left);
    list.current?.scrollBy({ left: beyond });
  }, [kind]);

  const able = (models ?? []).some(({ served, capabilities }) => served && capabilities.includes(capabilityOf[kind]));
  return (
    <Tabs.Root
      data-kept
      value={kind}
      onValueChange={(next: unknown) => {
        if (typeof next === "string" && isKind(next)) replaceParams({ kind: next, model: null, prompt: null });
      }}
    >
      <PageHeader title={t.pages.playground} />
      <Tabs.List
        ref={list}
        aria-label={t.playground.what}
        className="-mx-1 mb-3 flex items-center gap-0.5 overflow-x-auto [scrollbar-width:none] p-1"
      >
        {kinds.map((each) => (
          <Tabs.Tab
            key={each}
            value={each}
            className="h-7 rounded-md px-2.5 whitespace-nowrap text-muted hover:text-text data-active:bg-pressed data-active:text-text pointer-coarse:h-9"
          >
            {t.playground.tabs[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={kind} tabIndex={-1}>
        {models === undefined ? (
          <section className="panel">
            {error === null ? <SkeletonRows rows={6} /> : <Failure error={error} onRetry={() => void refetch()} />}
          </section>
        ) : able ? (
          kind === "chat" ? (
            <ChatTab />
          ) : (
            <MediaTab key={kind} kind={kind} />
          )
        ) : (
          <section className="panel">
            <Empty
              icon={<Plug size={24} aria-hidden />}
              title={t.playground.noModel}
              help={t.playground.noModelHelp}
              action={<Button onClick={() => overlays.open("addConnection")}>{t.connections.add}</Button>}
            />
          </section>
        )}
      </Tabs.Panel>
    </Tabs.Root>
  );
}
