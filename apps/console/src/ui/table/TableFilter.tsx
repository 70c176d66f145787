import { NativeSelect } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Toolbar, ToolbarButton } from '../Toolbar.tsx'
import { SearchField } from './SearchField.tsx'

interface TableFilterProps<Value extends string> {
  /** The search field, if there is one. */
  text?: TextFilter
  /** The list to choose one value from, if there is one. */
  choice?: ChoiceFilter<Value>
  /** What else narrows the table. */
  children?: ReactNode
  isNarrowed: boolean
  /** Shows all rows again. */
  onReset: () => void
}

interface TextFilter {
  label: string
  text: string | undefined
  /** The rows are still those of a former search. */
  isOutdated: boolean
  /** Must lead to the first page. */
  onText: (text: string | undefined) => void
}

export interface ChoiceFilter<Value extends string> {
  label: string
  /** In pixels. */
  width: number
  /** What stands for no value. */
  all: string
  values: readonly Value[]
  labelOf: (value: Value) => string
  chosen: Value | undefined
  /** Must lead to the first page. */
  onChoose: (value: Value | undefined) => void
}

/** What narrows a table: a text, a choice, and how to see all rows again. */
export function TableFilter<Value extends string>(props: TableFilterProps<Value>) {
  const { t } = useTranslation('app')
  const { text, choice, children, isNarrowed, onReset } = props
  return (
    <search>
      <Toolbar>
        {text !== undefined && <SearchField {...text} clearLabel={t('resetFilter')} />}
        {choice !== undefined && <ChoiceField {...choice} />}
        {children}
        {isNarrowed && (
          <ToolbarButton icon={IconFilterOff} variant="subtle" onClick={onReset}>
            {t('resetFilter')}
          </ToolbarButton>
        )}
      </Toolbar>
    </search>
  )
}

function ChoiceField<Value extends string>(props: ChoiceFilter<Value>) {
  const { label, width, all, values, labelOf, chosen, onChoose } = props
  return (
    <NativeSelect
      size="xs"
      w={width}
      aria-label={label}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(values.find((each) => each === value))}
    >
      <option value="">{all}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {labelOf(value)}
        </option>
      ))}
    </NativeSelect>
  )
}
