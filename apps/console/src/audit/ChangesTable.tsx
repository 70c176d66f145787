import { type AuditEntry, type ProjectRoom, roles } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useFieldLabels, useFieldTexts, useRoomWords } from '#rooms/index.ts'
import { useNumberFormat } from '#ui/format.ts'
import { Table } from '#ui/table/Table.tsx'

interface ChangesTableProps {
  changes: AuditEntry['changes']
  /** The name of the room that was changed, if it was a room. */
  room: string
}

/** Which field changed from what to what. */
export function ChangesTable({ changes, room }: ChangesTableProps) {
  const { t } = useTranslation('audit')
  const { labelOf, textsOf } = useChangeTexts({ tenantName: room })
  return (
    <Table
      isDense
      rows={changes}
      rowId={({ field }) => field}
      columns={[
        { id: 'field', title: t('field'), isName: true, cell: ({ field }) => labelOf(field) },
        { id: 'from', title: t('from'), cell: ({ field, from }) => textsOf(field, from) },
        { id: 'to', title: t('to'), cell: ({ field, to }) => textsOf(field, to) },
      ]}
    />
  )
}

/** The texts for fields and values of the audit trail; unknown ones are shown as they are. */
export function useChangeTexts(room: Pick<ProjectRoom, 'tenantName'>) {
  const { t, i18n } = useTranslation(['audit', 'form', 'app'])
  const words = useRoomWords()
  const fieldLabels = useFieldLabels()
  const textOf = useFieldTexts()
  const number = useNumberFormat()
  const knownFields: unknown = i18n.getResource(i18n.language, 'audit', 'fields')
  const fields = new Map(Object.entries(knownFields ?? {}))
  const texts = new Map<unknown, string>([
    ...roles.map((each) => [each, t(`app:roles.${each}`)] as const),
    ...Object.entries(words.state),
    ...Object.entries(words.product),
    ...Object.entries(words.edition),
    ...Object.entries(words.channel),
  ])
  const labelOf = (field: string): string => {
    if (field === 'projectRoomState') return t('state')
    const found: unknown = fields.get(field)
    return typeof found === 'string' ? found : (fieldLabels([field])[0] ?? field)
  }
  const textsOf = (field: string, value: unknown): string => {
    if (typeof value === 'number') return number.format(value)
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (isTexts(value))
      return value.length === 0 ? textOf(field, null) : value.map((each) => textsOf(field, each)).join(', ')
    if (typeof value === 'object' && value !== null) return JSON.stringify(value)
    const known = value === room.tenantName ? undefined : texts.get(value)
    return known ?? textOf(field, value)
  }
  /** A change on one line. Of some fields, such as passwords, only that they were changed is recorded. */
  const changeOf = (change: Change): string => {
    const values = valuesOf(change)
    return values === '' ? labelOf(change.field) : `${labelOf(change.field)}: ${values}`
  }
  const valuesOf = ({ field, from, to }: Change): string =>
    from === to ? '' : `${cut(textsOf(field, from))} → ${cut(textsOf(field, to))}`
  return { labelOf, textsOf, changeOf, valuesOf }
}

type Change = AuditEntry['changes'][number]

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

const longest = 60

/** The begin of a long text, such as a notification. */
function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).trimEnd()} …` : text
}
