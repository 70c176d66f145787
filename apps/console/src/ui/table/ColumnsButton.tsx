import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuOnDemand } from '../MenuOnDemand.tsx'
import type { ColumnChoice } from './use-columns.ts'

const ColumnsMenu = lazy(async () => ({ default: (await import('./ColumnsMenu.tsx')).ColumnsMenu }))

export interface ColumnsButtonProps {
  choices: readonly ColumnChoice[]
  onReset: () => void
}

/** Which columns are shown, and how wide. */
export function ColumnsButton(props: ColumnsButtonProps) {
  const { t } = useTranslation('app')
  const label = t('table.columns')
  return (
    <MenuOnDemand
      button={
        <ActionIcon size={28} aria-label={label} title={label}>
          <IconColumns3 size={16} stroke={1.8} aria-hidden />
        </ActionIcon>
      }
      menu={(menu) => <ColumnsMenu {...menu} {...props} />}
    />
  )
}
