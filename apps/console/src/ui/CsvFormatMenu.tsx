import { ActionIcon } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CsvExports } from './CsvFormats.tsx'
import { MenuOnDemand } from './MenuOnDemand.tsx'
import { onDemand } from './on-demand.tsx'

const CsvFormats = onDemand(() => import('./CsvFormats.tsx'), 'CsvFormats')

interface CsvFormatMenuProps extends CsvExports {
  /** What the button beside it exports, if there are several. */
  what?: string
}

/** Stands beside a button that exports CSV: there the operator chooses the format, which is kept for all exports. */
export function CsvFormatMenu({ what, ...exporting }: CsvFormatMenuProps) {
  const { t } = useTranslation('app')
  const label = what === undefined ? t('csv.choose') : t('csv.chooseOf', { what })
  return (
    <MenuOnDemand
      button={
        <ActionIcon size={30} variant="default" aria-label={label} title={label}>
          <IconChevronDown size={16} stroke={1.8} aria-hidden />
        </ActionIcon>
      }
      menu={(menu) => <CsvFormats {...menu} {...exporting} />}
    />
  )
}
