import { Select } from "#console/ui/field.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { ScrollBox } from "#console/ui/scroll-box.tsx";
import { importTexts as texts } from "#texts/imports.ts";
import { type Columns, problemOfPreview, useCsvPreview } from "./use-csv-preview.ts";

interface CsvMappingProps {
  readonly upload: string;
  readonly chosen: Columns;
  readonly onChange: (columns: Columns) => void;
}

/** The first rows of a file, with what each column becomes. */
export function CsvMapping({ upload, chosen, onChange }: CsvMappingProps) {
  const preview = useCsvPreview(upload, "links", chosen);
  const problem = problemOfPreview(preview);
  if (problem !== undefined && !preview.data) {
    return (
      <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
        {problem}
      </p>
    );
  }
  return (
    <Loaded query={preview}>
      {({ columns, rows, mapping, fields }) => {
        const fieldOf = (column: string) => fields.find((field) => mapping[field] === column) ?? "";
        const choose = (column: string, field: string) => {
          const others = Object.entries({ ...mapping, ...chosen }).filter(
            ([name, of]) => of !== column && name !== field,
          );
          const before = fieldOf(column);
          onChange({
            ...Object.fromEntries(others),
            ...(before !== "" && before !== field && { [before]: "" }),
            ...(field !== "" && { [field]: column }),
          });
        };
        return (
          <div className="min-w-0">
            <h3 className="text-sm font-medium">{texts.mapping}</h3>
            <p className="mb-2 text-sm text-soft">{texts.mappingNote}</p>
            {problem !== undefined && (
              <p role="alert" className="mb-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
                {problem}
              </p>
            )}
            <ScrollBox label={texts.preview} className="rounded-lg border border-line">
              <table className="w-full text-left text-sm">
                <thead className="bg-sunken">
                  <tr>
                    {columns.map((column) => (
                      <th key={column} scope="col" className="min-w-40 px-3 py-2 align-top font-medium">
                        <span className="mb-1 block truncate">{column}</span>
                        <Select
                          aria-label={texts.fieldOf(column)}
                          className="h-8! text-sm font-normal"
                          value={fieldOf(column)}
                          onChange={({ target }) => choose(column, target.value)}
                        >
                          <option value="">{texts.leftOut}</option>
                          {fields.map((field) => (
                            <option key={field} value={field}>
                              {texts.fields[field] ?? field}
                            </option>
                          ))}
                        </Select>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
                    <tr key={index} className="border-t border-line">
                      {columns.map((column, at) => (
                        <td key={column} className={fieldOf(column) === "" ? "px-3 py-1.5 text-faint" : "px-3 py-1.5"}>
                          <span className="block max-w-64 truncate">{row[at] ?? ""}</span>
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          </div>
        );
      }}
    </Loaded>
  );
}
