import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { exportForExcel, exportsForExcel } from './csv-form.ts'
import type { OnDemandMenuProps } from './MenuOnDemand.tsx'

/** The forms of CSV, with a mark at the chosen one. */
export function CsvForms({ target, opened, onChange, onExport }: OnDemandMenuProps & { onExport: () => void }) {
  const { t } = useTranslation('app')
  const isForExcel = exportsForExcel()
  const form = (excel: boolean, name: string) => (
    <Menu.Item
      aria-current={isForExcel === excel || undefined}
      rightSection={isForExcel === excel ? <IconCheck size={14} aria-hidden /> : null}
      onClick={() => {
        exportForExcel(excel)
        onExport()
      }}
    >
      {name}
    </Menu.Item>
  )
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end" keepMounted={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {form(false, t('csv.programs'))}
        {form(true, t('csv.excel'))}
      </Menu.Dropdown>
    </Menu>
  )
}
