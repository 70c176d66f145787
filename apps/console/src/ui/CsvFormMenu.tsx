import { ActionIcon } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MenuOnDemand } from './MenuOnDemand.tsx'
import { onDemand } from './on-demand.tsx'

const CsvForms = onDemand(async () => ({ default: (await import('./CsvForms.tsx')).CsvForms }))

interface CsvFormMenuProps {
  /** What the button beside it exports, if there are several. */
  what?: string
  /** Exports in the form that has been chosen. */
  onExport: () => void
}

/** Stands beside a button that exports CSV: there the operator chooses the form, which is kept for all exports. */
export function CsvFormMenu({ what, onExport }: CsvFormMenuProps) {
  const { t } = useTranslation('app')
  const label = what === undefined ? t('csv.choose') : t('csv.chooseOf', { what })
  return (
    <MenuOnDemand
      button={
        <ActionIcon size={30} variant="default" aria-label={label} title={label}>
          <IconChevronDown size={16} stroke={1.8} aria-hidden />
        </ActionIcon>
      }
      menu={(menu) => <CsvForms {...menu} onExport={onExport} />}
    />
  )
}
