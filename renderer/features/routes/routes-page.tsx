import { Waypoints } from "lucide-react";
import { useId, type ReactNode } from "react";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import { useSettings } from "../../api/maintenance-queries.ts";
import { useConnections, useModels } from "../../api/queries.ts";
import { useRoutes } from "../../api/route-queries.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { Toggle } from "../../components/ui/toggle.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { RouteDialog, type Opened } from "./route-dialog.tsx";
import { draftOfRoute, emptyRoute } from "./route-draft.ts";
import { RoutePanel } from "./route-panel.tsx";
import { draftOfTemplate, freeName, getLocalNames, templates, type Template } from "./route-templates.ts";
import { useRouteActions } from "./use-route-actions.ts";

const CLOSED = { new: null, edit: null, copy: null } as const;

/** The routes; `new`, `edit` or `copy` in the address open one of them, or one to be made. */
export function RoutesPage(): ReactNode {
  const t = useMessages();
  const { data: routes, error, refetch } = useRoutes();
  const opened = useOpened(routes);
  return (
    <>
      <PageHeader
        title={t.pages.routes}
        action={t.routes.add}
        onAction={() => replaceParams({ ...CLOSED, new: "blank" })}
      />
      {routes === undefined ? (
        <section className="panel">
          {error === null ? <SkeletonRows /> : <Failure error={error} onRetry={() => void refetch()} />}
        </section>
      ) : (
        <div className="flex flex-col gap-3">
          {routes.length > 0 && <ApplyAll />}
          {routes.map((route) => (
            <RoutePanel key={route.name} route={route} />
          ))}
          <Templates routes={routes} />
        </div>
      )}
      <RouteDialog opened={opened} routes={routes ?? []} onClose={() => replaceParams(CLOSED)} />
    </>
  );
}

/** Reads the route to create or change from the address; null without one, or while it is unknown. */
function useOpened(routes: readonly RouteView[] | undefined): Opened | null {
  const { params } = useRoute();
  const { data: models } = useModels();
  const { data: connections } = useConnections();
  const named = (name: string | null): RouteView | undefined => routes?.find((route) => route.name === name);
  if (routes === undefined) return null;
  const takenNames = routes.map(({ name }) => name);
  const edited = named(params.get("edit"));
  if (edited !== undefined) return { key: `edit ${edited.name}`, before: edited, draft: draftOfRoute(edited) };
  const copied = named(params.get("copy"));
  if (copied !== undefined) {
    const draft = { ...draftOfRoute(copied), name: freeName(`${copied.name}-copy`, takenNames) };
    return { key: `copy ${copied.name}`, before: null, draft };
  }
  const requested = params.get("new");
  if (requested === null) return null;
  const template = templates.find((each) => each === requested);
  if (template === undefined) return { key: "blank", before: null, draft: emptyRoute };
  if (models === undefined || connections === undefined) return null;
  const draft = draftOfTemplate(template, models, getLocalNames(connections));
  return { key: template, before: null, draft: { ...draft, name: freeName(draft.name, takenNames) } };
}

/** The one switch that undoes all. */
function ApplyAll(): ReactNode {
  const t = useMessages();
  const id = useId();
  const { data: settings } = useSettings();
  const { applyRoutes } = useRouteActions();
  if (settings === undefined) return null;
  return (
    <>
      <div className="flex items-center gap-3 px-3.5">
        <Toggle checked={settings.routes} onChange={applyRoutes} labelledBy={`${id}-name`} describedBy={`${id}-help`} />
        <p className="min-w-0">
          <span id={`${id}-name`} className="font-medium">
            {t.routes.all}
          </span>{" "}
          <span id={`${id}-help`} className="text-meta text-faint">
            {t.routes.allHelp}
          </span>
        </p>
      </div>
      {!settings.routes && <NoticeLine level="warning">{t.routes.allOff}</NoticeLine>}
    </>
  );
}

/** Templates, shown if there is no route yet. */
function Templates({ routes }: { readonly routes: readonly RouteView[] }): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const { data: connections = [] } = useConnections();
  if (routes.length > 0) return null;
  const helpOf = (template: Template): string => {
    const { models: chain, rules } = draftOfTemplate(template, models, getLocalNames(connections));
    const named = template === "working" ? chain : (rules[0]?.models ?? []);
    return t.routes.templateHelp[template](named.length === 0 ? t.routes.noModel : named.join(", "));
  };
  return (
    <section className="panel flex flex-col items-center px-4 py-10 text-center">
      <Waypoints size={24} aria-hidden className="mb-3 text-faint" />
      <h2 className="font-medium">{t.routes.empty}</h2>
      <p className="mt-0.5 max-w-120 text-muted">{t.routes.emptyHelp}</p>
      <ul className="mt-4 grid w-full max-w-200 grid-cols-3 gap-2 max-wide:grid-cols-1">
        {templates.map((template) => (
          <li key={template} className="flex">
            <button
              type="button"
              onClick={() => replaceParams({ ...CLOSED, new: template })}
              className="flex w-full min-w-0 flex-col gap-0.5 rounded-md border border-line bg-raised px-3 py-2.5 text-left transition-colors hover:border-line-strong hover:bg-hover active:bg-pressed"
            >
              <span className="font-medium">{t.routes.templates[template]}</span>
              <span className="text-meta text-muted wrap-anywhere">{helpOf(template)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Button look="quiet" className="mt-3" onClick={() => replaceParams({ ...CLOSED, new: "blank" })}>
        {t.routes.blank}
      </Button>
    </section>
  );
}
