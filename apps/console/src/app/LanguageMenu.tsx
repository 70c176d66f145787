import { Menu } from '@mantine/core'
import { chooseLocale, currentLocale, localeKeys, localeNames } from './language.ts'
import type { OnDemandMenuProps } from './MenuOnDemand.tsx'

export function LanguageMenu({ target, ...menu }: OnDemandMenuProps) {
  const choose = (value: string) => {
    const key = localeKeys.find((each) => each === value)
    if (key !== undefined) void chooseLocale(key)
  }
  return (
    <Menu {...menu} position="bottom-end" width={160}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={currentLocale()} onChange={choose}>
          {localeKeys.map((key) => (
            <Menu.RadioItem closeMenuOnClick key={key} value={key} lang={key === 'mcp_ui' ? 'en' : key}>
              {localeNames[key].name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
