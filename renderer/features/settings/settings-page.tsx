import { Tabs } from "@base-ui/react/tabs";
import { useEffect, useRef } from "react";
import type { ComponentType, ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/settings.ts";
import { useSettings } from "../../api/maintenance-queries.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { SearchBox } from "../../components/ui/search-box.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute, routeHash } from "../../lib/router.ts";
import { AboutSection } from "./about-section.tsx";
import { BudgetSection } from "./budget-section.tsx";
import { DataSection } from "./data-section.tsx";
import { FoundSettings } from "./found-settings.tsx";
import { GeneralSection } from "./general-section.tsx";
import { NetworkSection } from "./network-section.tsx";
import { PricesSection } from "./prices-section.tsx";
import { SearchSection } from "./search-section.tsx";
import { TelemetrySection } from "./telemetry-section.tsx";
import { UpdatesSection } from "./updates-section.tsx";
import { useWebhooks } from "../../api/task-queries.ts";
import { WebhookSecret } from "../../components/webhooks/webhook-secret.tsx";
import { Group, SettingFields } from "./setting.tsx";

const sections = [
  "general",
  "network",
  "data",
  "budget",
  "prices",
  "search",
  "webhooks",
  "telemetry",
  "updates",
  "about",
] as const;
type SectionName = (typeof sections)[number];

const contents: Record<SectionName, ComponentType<{ readonly settings: Settings }>> = {
  general: GeneralSection,
  network: NetworkSection,
  data: DataSection,
  budget: BudgetSection,
  prices: PricesSection,
  search: SearchSection,
  webhooks: WebhooksSection,
  telemetry: TelemetrySection,
  updates: UpdatesSection,
  about: AboutSection,
};

/** All settings by section; `section` in the address selects one. */
export function SettingsPage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const { data: settings, error, refetch } = useSettings();
  const chosen = sections.find((name) => name === params.get("section")) ?? "general";
  const q = params.get("q") ?? "";
  return (
    <>
      <PageHeader title={t.pages.settings} />
      <div className="mb-3 flex max-w-80 rounded-md border border-line bg-surface">
        <SearchBox q={q} label={t.settings.find} />
      </div>
      {q !== "" && settings !== undefined ? (
        <div className="max-w-190">
          <FoundSettings
            q={q}
            sections={sections.map((name) => {
              const Content = contents[name];
              return { name: t.settings.names[name], content: <Content settings={settings} /> };
            })}
          />
        </div>
      ) : (
        <Sections chosen={chosen} settings={settings} error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
}

interface SectionsProps {
  readonly chosen: SectionName;
  readonly settings: Settings | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

function Sections({ chosen, settings, error, onRetry }: SectionsProps): ReactNode {
  const t = useMessages();
  const tabs = useRef<HTMLDivElement>(null);
  // If the tabs do not all fit, the chosen one is scrolled into view.
  useEffect(() => {
    tabs.current?.querySelector(`[data-section=${chosen}]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen]);
  const Content = contents[chosen];
  return (
    <Tabs.Root
      value={chosen}
      onValueChange={(name: SectionName) => replaceParams({ section: name === "general" ? null : name })}
      orientation="vertical"
      className="gap-6 min-[900px]:grid min-[900px]:grid-cols-[152px_minmax(0,760px)]"
    >
      <Tabs.List
        ref={tabs}
        aria-label={t.settings.sections}
        className="flex gap-0.5 overflow-x-auto [scrollbar-width:none] max-[899px]:-mx-1 max-[899px]:mb-3 max-[899px]:px-1 max-[899px]:py-1 min-[900px]:flex-col"
      >
        {sections.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            data-section={name}
            className="h-7 shrink-0 scroll-mx-6 rounded-md px-2.5 text-left whitespace-nowrap text-muted hover:text-text data-active:bg-pressed data-active:text-text pointer-coarse:h-9"
          >
            {t.settings.names[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel key={chosen} value={chosen} tabIndex={-1} className="flex min-w-0 flex-col gap-4 outline-none">
        {settings !== undefined ? (
          <Content settings={settings} />
        ) : (
          <section className="panel">
            {error === null ? <SkeletonRows rows={6} /> : <Failure error={error} onRetry={onRetry} />}
          </section>
        )}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function WebhooksSection({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { data: view, error, refetch } = useWebhooks();
  return (
    <Group title={t.settings.webhooks} help={t.settings.webhooksHelp}>
      {view !== undefined ? (
        <div>
          <WebhookSecret view={view} />
          <p className="mt-2 text-meta text-faint">
            <a href={routeHash("tasks", { panel: "webhooks" })}>{t.settings.deliveries}</a>
          </p>
        </div>
      ) : error === null ? (
        <SkeletonRows rows={2} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      <SettingFields group="webhooks" settings={settings} />
    </Group>
  );
}
