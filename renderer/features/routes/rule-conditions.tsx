import { ChevronDown, X } from "lucide-react";
import { useId, type ReactNode } from "react";
import { APPS, getAppName } from "../../../gateway/contract/apps.ts";
import { requestKinds } from "../../../gateway/contract/routed.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { useSpenders } from "../../api/budget-queries.ts";
import { useKeys } from "../../api/queries.ts";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Menu, MenuCheck } from "../../components/ui/menu.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { joinAny } from "./route-words.ts";
import { findNames, type Condition, type RuleDraft } from "./route-draft.ts";

export interface RuleConditionProps {
  readonly name: Condition;
  readonly rule: RuleDraft;
  /** Words before it: "When the request is", "and". */
  readonly lead: string;
  readonly error: string | undefined;
  readonly onChange: (change: Partial<RuleDraft>) => void;
  /** Absent for the only one. */
  readonly onRemove: (() => void) | undefined;
}

/** A condition of a rule. */
export function RuleCondition(props: RuleConditionProps): ReactNode {
  const { name, lead, onRemove } = props;
  const t = useMessages();
  return (
    <div className="flex items-start gap-2">
      <div className="flex min-w-0 grow items-start gap-x-3 gap-y-1 max-wide:flex-col">
        <span className="w-32 shrink-0 leading-7 text-muted max-wide:leading-5">{lead}</span>
        <div className="min-w-0 grow max-wide:w-full">
          <ConditionField {...props} />
        </div>
      </div>
      {onRemove !== undefined && (
        <IconButton label={t.routes.removeCondition(t.routes.conditions[name])} onClick={onRemove}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function ConditionField(props: RuleConditionProps): ReactNode {
  switch (props.name) {
    case "kinds":
      return <Kinds {...props} />;
    case "above":
      return <Figure {...props} name="above" unit="1000" />;
    case "budget":
      return <Figure {...props} name="budget" unit="5" />;
    case "clients":
      return <Clients {...props} />;
    case "keys":
      return <Keys {...props} />;
    case "hours":
      return <Hours {...props} />;
  }
}

/** Field with its error message below. */
function Noted(props: { readonly label: string; readonly error: string | undefined; readonly children: ReactNode }) {
  const id = useId();
  return (
    <fieldset aria-describedby={props.error === undefined ? undefined : id} className="min-w-0">
      <legend className="sr-only">{props.label}</legend>
      {props.children}
      {props.error !== undefined && (
        <p id={id} className="mt-1 text-meta text-danger-text wrap-anywhere">
          {props.error}
        </p>
      )}
    </fieldset>
  );
}

function Kinds({ rule, error, onChange }: RuleConditionProps): ReactNode {
  const t = useMessages();
  const chosen = rule.kinds ?? [];
  return (
    <Noted label={t.routes.conditions.kinds} error={error}>
      <div className="flex flex-wrap gap-1 py-0.5">
        {requestKinds.map((kind) => (
          <FilterChip
            key={kind}
            pressed={chosen.includes(kind)}
            onPress={() =>
              onChange({ kinds: requestKinds.filter((each) => chosen.includes(each) !== (each === kind)) })
            }
          >
            {t.routes.kinds[kind]}
          </FilterChip>
        ))}
      </div>
      {chosen.includes("web_search") && (
        <p className="mt-0.5 text-meta text-faint">{t.routes.conditionHelp.webSearch}</p>
      )}
    </Noted>
  );
}

function Figure(props: RuleConditionProps & { readonly name: "above" | "budget"; readonly unit: string }): ReactNode {
  const { name, rule, error, onChange } = props;
  const t = useMessages();
  return (
    <TextField
      label={t.routes.conditions[name]}
      inputMode="numeric"
      value={rule[name] ?? ""}
      error={error}
      help={name === "budget" ? t.routes.conditionHelp.budget : undefined}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
}

function Clients({ rule, error, onChange }: RuleConditionProps): ReactNode {
  const t = useMessages();
  const listId = useId();
  const seen = useSpenders("client");
  const known = new Set([...seen, ...APPS.map(({ name }) => name)]);
  const unseen = findNames(rule.clients ?? "").filter(
    (name) => seen.length > 0 && !/[*?]/.test(name) && !seen.includes(getAppName(name)),
  );
  return (
    <>
      <TextField
        label={t.routes.conditions.clients}
        placeholder="Claude Code"
        list={listId}
        value={rule.clients ?? ""}
        error={error}
        help={unseen.length === 0 ? t.routes.conditionHelp.clients : t.routes.unseenApps(unseen.join(t.app.listed))}
        onChange={(event) => onChange({ clients: event.target.value })}
      />
      <datalist id={listId}>
        {[...known].map((client) => (
          <option key={client} value={client}>
            {client}
          </option>
        ))}
      </datalist>
    </>
  );
}

function Keys({ rule, error, onChange }: RuleConditionProps): ReactNode {
  const t = useMessages();
  const nameOf = useKeyNames();
  const { data: keys = [] } = useKeys();
  const chosen = rule.keys ?? [];
  // Keys that are revoked stay until they are taken out.
  const all = [...new Set([...keys.map(({ id }) => id), ...chosen])];
  return (
    <Noted label={t.routes.conditions.keys} error={error}>
      <p className="mb-1 font-medium">{t.routes.conditions.keys}</p>
      <Menu
        align="start"
        trigger={
          <Button className="max-w-full" aria-invalid={error === undefined ? undefined : true}>
            <span className="truncate">{chosen.length === 0 ? t.routes.noKeys : joinAny(chosen.map(nameOf), t)}</span>
            <ChevronDown size={14} aria-hidden className="shrink-0" />
          </Button>
        }
      >
        {all.map((id) => (
          <MenuCheck
            key={id}
            checked={chosen.includes(id)}
            onChange={(checked) => onChange({ keys: checked ? [...chosen, id] : chosen.filter((each) => each !== id) })}
          >
            {nameOf(id)}
          </MenuCheck>
        ))}
      </Menu>
    </Noted>
  );
}

function Hours({ rule, error, onChange }: RuleConditionProps): ReactNode {
  const t = useMessages();
  const { from = "", until = "" } = rule.hours ?? {};
  return (
    <Noted label={t.routes.conditions.hours} error={error}>
      <div className="flex flex-wrap gap-2">
        <TextField
          type="time"
          className="w-32"
          label={t.routes.from}
          value={from}
          onChange={(event) => onChange({ hours: { from: event.target.value, until } })}
        />
        <TextField
          type="time"
          className="w-32"
          label={t.routes.until}
          value={until}
          onChange={(event) => onChange({ hours: { from, until: event.target.value } })}
        />
      </div>
      <p className="mt-1 text-meta text-faint">{t.routes.conditionHelp.hours}</p>
    </Noted>
  );
}
