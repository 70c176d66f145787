import type { ProjectRoom } from '@roomkeeper/contract'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LabelLinks } from '#labels/index.ts'
import { textOfReasons } from '#locales/error-texts.ts'
import { intlTag } from '#locales/number-format.ts'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { useLicenceLabel } from '../form/use-field-labels.ts'
import classes from './ListCell.module.css'
import type { ListColumn } from './search.ts'

interface ListCellProps {
  column: ListColumn
  room: ProjectRoom
}

/** What a column of the list alone shows. */
export function ListCell({ column, room }: ListCellProps) {
  const { t } = useTranslation(['form', 'errors'])
  switch (column) {
    case 'labels':
      return <LabelLinks labels={room.labels} />
    case 'lastBackup':
      return <LastBackup room={room} />
    case 'licenses':
      return <Licences room={room} />
    case 'subMiningType':
      return room.subMiningType === 'NONE' ? null : t(`subMiningType.${room.subMiningType}`)
    case 'error':
      return textOfReasons(room.errorReasons, room.errorMessage)
  }
}

/** How long ago the last backup was made, marked if it was restored in a test. The tooltip has the exact times. */
function LastBackup({ room: { lastBackupAt, lastBackupVerifiedAt } }: Pick<ListCellProps, 'room'>) {
  const { t, i18n } = useTranslation('rooms')
  if (lastBackupAt === null) return <span className={classes.none}>{t('lastBackup.none')}</span>
  const at = formatMoment(lastBackupAt)
  const age = ageIn(i18n.language, lastBackupAt)
  if (lastBackupVerifiedAt === null) return <span data-tip={at}>{age}</span>
  const tip = `${at}. ${t('lastBackup.restoredAt', { at: formatMoment(lastBackupVerifiedAt) })}`
  return (
    <span className={classes.restored} data-tip={tip}>
      {age}
      <IconCircleCheck size={15} stroke={1.9} role="img" aria-label={t('lastBackup.restored')} />
    </span>
  )
}

/** `5 minutes ago`, `3 hours ago`, `12 days ago`. */
function ageIn(language: string, iso: string): string {
  const format = new Intl.RelativeTimeFormat(intlTag(language))
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(iso)) / 60_000))
  if (minutes < 60) return format.format(-minutes, 'minute')
  if (minutes < 48 * 60) return format.format(-Math.floor(minutes / 60), 'hour')
  return format.format(-Math.floor(minutes / 1440), 'day')
}

/** `Designer 47, Viewer 10`: what is sold. */
function Licences({ room: { licenses, subLicenses } }: Pick<ListCellProps, 'room'>) {
  const labelOf = useLicenceLabel()
  const number = useNumberFormat()
  const sold = [
    ...Object.entries(licenses),
    ...subLicenses.map(({ licenseKey, subLicenseAmount }) => [licenseKey, subLicenseAmount] as const),
  ]
  return sold
    .filter(([, count]) => count > 0)
    .map(([key, count]) => `${labelOf(key)} ${number.format(count)}`)
    .join(', ')
}
