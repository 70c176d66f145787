import { Input } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.layer.css'
import { Link } from '@tiptap/extension-link'
import { useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useEffectEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useField } from '../form/resource-form.ts'
import classes from './RichTextField.module.css'

interface RichTextFieldProps {
  /** The path of a form field that holds HTML; the field is empty if the HTML has no text. */
  name: string
  label: string
}

const extensions = [
  // Replaced by the link extension below.
  StarterKit.configure({ link: false }),
  Link.configure({ openOnClick: false, defaultProtocol: 'https', protocols: ['mailto'] }),
]

/**
 * A text with emphasis, headings, lists and links. It is large: load it on demand. It starts with the form's value;
 * change its `key` to start again.
 */
export function RichTextField({ name, label }: RichTextFieldProps) {
  const { t } = useTranslation('rich-text')
  const id = useId()
  const { value, set, input } = useField<string>(name)
  const { error = null } = input
  const report = useEffectEvent(set)
  const reportBlur = useEffectEvent(input.onBlur)
  const editor = useEditor({
    extensions,
    content: value,
    shouldRerenderOnTransaction: true,
    onUpdate: ({ editor: changed }) => report(changed.getText().trim() === '' ? '' : changed.getHTML()),
    onBlur: () => reportBlur(),
  })
  useEffect(() => {
    const described = error === null ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }
    const attributes = { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, ...described }
    editor?.setOptions({ editorProps: { attributes: { ...attributes, 'aria-required': 'true' } } })
  }, [editor, label, error, id])
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      withAsterisk
      error={error}
      errorProps={{ id: `${id}-error` }}
      onClick={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest('[class*=label]') !== null)
          editor?.commands.focus()
      }}
    >
      <RichTextEditor
        editor={editor}
        className={classes.root ?? ''}
        data-error={error !== null || undefined}
        labels={t('labels', { returnObjects: true })}
      >
        <Toolbar />
        <RichTextEditor.Content data-path={name} />
      </RichTextEditor>
    </Input.Wrapper>
  )
}

function Toolbar() {
  return (
    <RichTextEditor.Toolbar>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
        <RichTextEditor.Underline />
        <RichTextEditor.Strikethrough />
        <RichTextEditor.ClearFormatting />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.H2 />
        <RichTextEditor.H3 />
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
        <RichTextEditor.Blockquote />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Link />
        <RichTextEditor.Unlink />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  )
}
