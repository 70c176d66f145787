import { Menu } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { OnDemandMenuProps } from '../MenuOnDemand.tsx'
import type { ColumnChoice } from './use-columns.ts'

const stepPixels = 16

export interface ColumnChoices {
  choices: readonly ColumnChoice[]
  onReset: () => void
}

/** Shows and hides columns; the left and right arrow keys make the focused column narrower and wider. */
export function ColumnsMenu({ target, choices, onReset, ...menu }: OnDemandMenuProps & ColumnChoices) {
  const { t } = useTranslation('app')
  const widen = (choice: ColumnChoice) => (event: KeyboardEvent) => {
    if (!choice.isShown || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    choice.widen(event.key === 'ArrowRight' ? stepPixels : -stepPixels)
  }
  return (
    <Menu {...menu} position="top-start" closeOnItemClick={false} width={220}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.CheckboxItem
            key={choice.id}
            checked={choice.isShown}
            onChange={choice.toggle}
            onKeyDown={widen(choice)}
          >
            {choice.title}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('table.widthKeys')}</Menu.Label>
        <Menu.Item closeMenuOnClick onClick={onReset}>
          {t('table.resetColumns')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
