import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { Menu, MenuItem } from "../../components/ui/menu.tsx";
import { Toggle } from "../../components/ui/toggle.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { ChainEditor } from "./chain-editor.tsx";
import { atFirst, conditions, type RuleDraft } from "./route-draft.ts";
import { RuleCondition } from "./rule-conditions.tsx";
import type { RouteErrors } from "./use-route-form.ts";

export interface RuleEditorProps {
  readonly rule: RuleDraft;
  /** Index of the rule, from 0, and the number of rules. */
  readonly at: number;
  readonly count: number;
  readonly errors: RouteErrors;
  readonly except: readonly string[];
  readonly onChange: (rule: RuleDraft) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

/** A rule as a sentence to fill in: when the request is this, use those. */
export function RuleEditor(props: RuleEditorProps): ReactNode {
  const { rule, at, count, errors, except, onChange, onMove, onRemove } = props;
  const t = useMessages();
  const number = at + 1;
  const chosen = conditions.filter((name) => rule[name] !== null);
  const left = conditions.filter((name) => rule[name] === null);
  return (
    <li className="rounded-md border border-line bg-canvas" aria-label={t.routes.rule(number)}>
      <div className="flex items-center gap-1 border-b border-line/60 py-1 pr-1 pl-3">
        <h4 className="grow font-medium">{t.routes.rule(number)}</h4>
        {count > 1 && (
          <>
            <IconButton label={t.routes.ruleUp(number)} disabled={at === 0} onClick={() => onMove(at - 1)}>
              <ArrowUp size={14} aria-hidden />
            </IconButton>
            <IconButton label={t.routes.ruleDown(number)} disabled={number === count} onClick={() => onMove(at + 1)}>
              <ArrowDown size={14} aria-hidden />
            </IconButton>
          </>
        )}
        <span className="mx-1.5">
          <Toggle
            checked={rule.enabled}
            onChange={(enabled) => onChange({ ...rule, enabled })}
            label={t.routes.ruleOn(number)}
          />
        </span>
        <IconButton label={t.routes.removeRule(number)} onClick={onRemove}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <div className="flex flex-col gap-3 px-3 py-2.5">
        <div className="flex flex-col gap-2">
          {chosen.map((name, index) => (
            <RuleCondition
              key={name}
              name={name}
              rule={rule}
              lead={index === 0 ? t.routes.whenLabel : t.routes.whenAlso}
              error={errors[`${at}.${name}`]}
              onChange={(change) => onChange({ ...rule, ...change })}
              onRemove={chosen.length === 1 ? undefined : () => onChange({ ...rule, [name]: null })}
            />
          ))}
          {errors[`${at}.when`] !== undefined && (
            <p className="text-meta text-danger-text wrap-anywhere">{errors[`${at}.when`]}</p>
          )}
          {left.length > 0 && (
            <div>
              <Menu
                align="start"
                trigger={
                  <Button look="quiet" icon={<Plus size={14} aria-hidden />}>
                    {t.routes.addCondition}
                  </Button>
                }
              >
                {left.map((name) => (
                  <MenuItem key={name} onSelect={() => onChange({ ...rule, [name]: atFirst[name] })}>
                    {t.routes.conditions[name]}
                  </MenuItem>
                ))}
              </Menu>
            </div>
          )}
        </div>
        <ChainEditor
          label={t.routes.use}
          addLabel={t.routes.addModelTo(t.routes.rule(number))}
          models={rule.models}
          except={except}
          error={errors[`${at}.models`]}
          onChange={(models) => onChange({ ...rule, models })}
        />
      </div>
    </li>
  );
}
