import { Copy, Ellipsis, List, Pencil, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { useKeys } from "../../api/queries.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { IconButton } from "../../components/ui/button.tsx";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { Toggle } from "../../components/ui/toggle.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import { ModelChips } from "./model-chips.tsx";
import { formatConditionsInWords } from "./route-words.ts";
import { useRouteActions } from "./use-route-actions.ts";

/** A route: its name, its models in order, and its rules as text. */
export function RoutePanel({ route }: { readonly route: RouteView }): ReactNode {
  const t = useMessages();
  const titleId = useId();
  const { setEnabled } = useRouteActions();
  const { name, order, sticky, hides } = route;
  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="flex items-center gap-x-1 py-1.5 pr-2 pl-3.5">
        <h2 id={titleId} className="min-w-0 truncate font-mono font-semibold" title={name}>
          {name}
        </h2>
        <CopyIcon text={name} label={t.routes.copyName(name)} />
        <span className="flex min-w-0 grow flex-wrap items-center gap-1 overflow-hidden">
          {hides !== null && (
            <span title={t.routes.hidesHelp(hides)} className="max-wide:hidden">
              <Badge tone="info">{t.routes.hides}</Badge>
            </span>
          )}
          {order !== "listed" && (
            <span title={t.routes.orderHelp[order]} className="max-wide:hidden">
              <Badge>{t.routes.orders[order]}</Badge>
            </span>
          )}
          {sticky && (
            <span title={t.routes.stickyHelp} className="max-wide:hidden">
              <Badge>{t.routes.sticky}</Badge>
            </span>
          )}
        </span>
        <span className="mx-1">
          <Toggle
            checked={route.enabled}
            onChange={(enabled) => setEnabled(route, enabled)}
            label={t.routes.on(name)}
          />
        </span>
        <RouteMenu route={route} />
      </div>
      <div className="flex flex-col gap-2 border-t border-line px-3.5 py-2.5">
        <Rules route={route} />
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          {route.rules.length > 0 && <span className="text-muted">{t.routes.otherwise}</span>}
          <ModelChips label={t.routes.chainOf(name)} models={route.models} unserved={route.unserved} />
        </div>
      </div>
    </section>
  );
}

function Rules({ route }: { readonly route: RouteView }): ReactNode {
  const t = useMessages();
  const keyName = useKeyNames();
  if (route.rules.length === 0) return null;
  return (
    <ol aria-label={t.routes.rules} className="flex flex-col gap-2">
      {route.rules.map((rule, at) => {
        const words = formatConditionsInWords(rule.when, t, keyName);
        return (
          // Rules are only identified by their position.
          <li key={at} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className={`wrap-anywhere ${rule.enabled ? "" : "text-faint line-through"}`}>{words}</span>
            {!rule.enabled && <Badge>{t.routes.ruleOff}</Badge>}
            <span aria-hidden className="text-faint">
              →
            </span>
            <ModelChips label={t.routes.chainOf(words)} models={rule.models} unserved={route.unserved} />
          </li>
        );
      })}
    </ol>
  );
}

function RouteMenu({ route }: { readonly route: RouteView }): ReactNode {
  const t = useMessages();
  const { remove } = useRouteActions();
  const { data: keys = [] } = useKeys();
  const [isAsking, setAsking] = useState(false);
  // A key keeps the model of the same name.
  const losing = route.hides === null ? keys.filter(({ models }) => models?.includes(route.name) === true) : [];
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t.app.actions(route.name)}>
            <Ellipsis size={15} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => replaceParams({ edit: route.name })}>
          {t.routes.edit}
        </MenuItem>
        <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => replaceParams({ copy: route.name })}>
          {t.routes.duplicate}
        </MenuItem>
        <MenuItem icon={<List size={14} aria-hidden />} onSelect={() => navigate("requests", { q: route.name })}>
          {t.routes.showRequests}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 size={14} aria-hidden />}
          danger
          onSelect={() => (losing.length > 0 ? setAsking(true) : remove(route))}
        >
          {t.routes.remove}
        </MenuItem>
      </Menu>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          remove(route, true);
        }}
        title={t.routes.removeTitle(route.name)}
        description={t.routes.removeHelp(
          losing
            .map(({ name }) => name)
            .slice(0, 3)
            .join(", "),
          losing.length,
        )}
        action={t.routes.remove}
        busy={false}
      />
    </>
  );
}
