import { Menu } from '@mantine/core'
import { use } from 'react'
import type { OnDemandMenuProps } from '#ui/MenuOnDemand.tsx'
import { chooseLocale, currentLocale } from './language.ts'
import { languages, nameOf, tagOf } from './languages.ts'

/** The languages that the server has. */
export function LanguageMenu({ target, ...menu }: OnDemandMenuProps) {
  const known = use(languages())
  return (
    <Menu {...menu} position="bottom-end" width={160}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={currentLocale()} onChange={(key) => void chooseLocale(key)}>
          {known.map(({ localeKey }) => (
            <Menu.RadioItem closeMenuOnClick key={localeKey} value={localeKey} lang={tagOf(localeKey)}>
              {nameOf(localeKey)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
