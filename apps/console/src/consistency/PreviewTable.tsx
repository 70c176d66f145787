import { Box } from '@mantine/core'
import { type Finding, licenceTypes, type RepairPreview } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { textOfReason } from '#locales/error-texts.ts'
import { useFieldLabels, useFieldTexts } from '#rooms/index.ts'
import { formatDay } from '#ui/day.ts'
import { useNumberFormat } from '#ui/format.ts'
import { Table } from '#ui/table/Table.tsx'
import { useFieldNames, useRoomTexts } from './FindingText.tsx'
import { type PreviewRow, previewRows } from './preview-rows.ts'

interface PreviewTableProps extends Pick<RepairPreview, 'changes'> {
  finding: Finding
}

/** What a repair would change: the old and the new value of each field. */
export function PreviewTable({ changes, finding }: PreviewTableProps) {
  const { t } = useTranslation('consistency')
  const texts = usePreviewTexts(finding)
  return (
    <Box mt="md" className="rk-text">
      <Table
        label={t('wouldChange')}
        hasVisibleLabel
        rows={previewRows(changes)}
        rowId={({ field, part }) => `${field} ${part}`}
        columns={[
          { id: 'field', title: t('field'), isName: true, cell: (row) => texts.name(row) },
          { id: 'from', title: t('from'), cell: (row) => texts.value(row, row.from) },
          { id: 'to', title: t('to'), cell: (row) => texts.value(row, row.to) },
        ]}
      />
    </Box>
  )
}

/** The form's names of fields that regions name differently. */
const contactFields: Readonly<Record<string, string>> = {
  ownerEmail: 'customerEmail',
  delegateEmail: 'additionalEmail',
}
/** These fields stand for whole objects. Without a value the object does not exist. */
const objectFields = ['lock', 'reservation', 'target', 'copy', 'backup']

/** @returns functions that format the name and the values of a row as the form of a room does */
function usePreviewTexts({ facts, reasons }: Finding) {
  const { t } = useTranslation(['consistency', 'form'])
  const fieldName = useFieldNames()
  const labelsOf = useFieldLabels()
  const texts = useRoomTexts()
  const textOf = useFieldTexts()
  const number = useNumberFormat()
  const value = ({ field, part }: PreviewRow, given: unknown): string => {
    const isMissing = given === null || given === undefined || given === ''
    if (isMissing && field !== 'expirationDate') return t(objectFields.includes(field) ? 'gone' : 'nothing')
    if (typeof given === 'object' && given !== null) return part === null ? listed(given) : licenceTexts(given)
    if (typeof given === 'string' && field === 'state') return texts.state(given)
    if (typeof given === 'string' && field === 'product') return texts.product(given)
    return typeof given === 'string' && isDay(given) ? formatDay(given) : textOf(field, given)
  }
  return {
    name({ field, part }: PreviewRow): string {
      // The finding names the counted things with a coded text.
      const counted = field === facts.what && reasons.what !== undefined ? textOfReason(reasons.what) : null
      if (part === null) return counted ?? fieldName(field)
      return labelsOf([field === 'contacts' ? (contactFields[part] ?? part) : `licenses.${part}`]).join()
    },
    value,
  }

  function licenceTexts(licence: object): string {
    const { licenseAmount, subLicenseAmount, licenseType } = licence as Record<string, unknown>
    const type = licenceTypes.find((each) => each === licenseType)
    const amount = number.format(Number(licenseAmount ?? subLicenseAmount ?? 0))
    return type === undefined ? amount : `${amount} (${t(`form:licenceType.${type}`)})`
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** The values of unnamed parts, without JSON punctuation. */
function listed(value: object): string {
  return Object.values(value)
    .map((each) => (typeof each === 'object' && each !== null ? listed(each) : String(each ?? '')))
    .filter((each) => each !== '')
    .join(' ')
}
