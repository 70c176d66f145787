/** How the entries of a form differ from what is stored, and how they are carried over to other stored values. */

/** What is compared of the entries of a form. */
export interface Settings<Values, Name extends string> {
  /** The settings as they would be sent, by name, in the order of the screen. */
  of: (values: Values) => Readonly<Record<Name, unknown>>
  /** The paths of the entries that make up a setting; by default its name. */
  pathsOf?: (name: Name) => readonly string[]
}

/** The settings that differ between two states of a form. */
export function differences<Values, Name extends string>(
  settings: Settings<Values, Name>,
  one: Values,
  other: Values,
): Name[] {
  const [first, second] = [settings.of(one), settings.of(other)]
  return (Object.keys(first) as Name[]).filter((name) => !isSame(first[name], second[name]))
}

/**
 * What to do with entries if the record was changed meanwhile. `follow`: no entry differs from the stored record, so
 * the form takes its values; `keep`: no setting of the form has changed in the record; `conflict`: the operator has to
 * decide.
 * @param before the values on which the entries are based
 */
export function resolveChange<Values, Name extends string>(
  settings: Settings<Values, Name>,
  { entered, before, stored }: { entered: Values; before: Values; stored: Values },
): 'follow' | 'keep' | 'conflict' {
  const differs = (one: Values, other: Values) => differences(settings, one, other).length > 0
  if (!differs(entered, before) || !differs(entered, stored)) return 'follow'
  return differs(before, stored) ? 'conflict' : 'keep'
}

/** The entries on the basis of other stored values: settings that were not changed take over the stored values. */
export function rebased<Values extends object, Name extends string>(
  settings: Settings<Values, Name>,
  { entered, before, stored }: { entered: Values; before: Values; stored: Values },
): Values {
  const changed = differences(settings, entered, before)
  const others = (Object.keys(settings.of(stored)) as Name[]).filter((name) => !changed.includes(name))
  const paths = others.flatMap((name) => settings.pathsOf?.(name) ?? [name]).map((path) => path.split('.'))
  return paths.reduce<Values>((values, path) => withValueOf(values, stored, path), entered)
}

/** A copy of the values with another's value at a path. */
function withValueOf<Values extends object>(values: Values, other: object, [key = '', ...rest]: string[]): Values {
  const [own, others] = [valueIn(values, key), valueIn(other, key)]
  const value = rest.length > 0 && isGroup(own) && isGroup(others) ? withValueOf(own, others, rest) : others
  return { ...values, [key]: value }
}

/**
 * What was changed between two states of a form, on top of other values. Groups of fields, such as counts by key, are
 * compared field by field; a list counts as one field.
 */
export function withChanges<Values extends object>(values: Values, before: Values, now: Values): Values {
  const changed = Object.entries(now).flatMap(([field, value]) => {
    const [base, former] = [valueIn(values, field), valueIn(before, field)]
    if (isGroup(value) && isGroup(former)) return [[field, withChanges(isGroup(base) ? base : {}, former, value)]]
    return isSame(value, former) ? [] : [[field, value]]
  })
  return { ...values, ...Object.fromEntries(changed) }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function valueIn(values: object, field: string): unknown {
  return (values as Record<string, unknown>)[field]
}
