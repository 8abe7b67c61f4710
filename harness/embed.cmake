# Writes OUTPUT, a C++ file with the text of all files below FOLDER, for case/builtin.h.
# cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake

file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*.yaml)
list(SORT files)
set(text "// Generated from cases/.\n#include \"case/builtin.h\"\n\nnamespace assay {\nnamespace {\n")
string(APPEND text "constexpr BuiltinFile kFiles[] = {\n")
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} content)
  string(APPEND text "{\"${file}\", R\"~assay~(${content})~assay~\"},\n")
endforeach()
string(APPEND text "};\n}  // namespace\n\nstd::vector<BuiltinFile> BuiltinFiles(std::string_view folder) {\n"
  "  std::vector<BuiltinFile> found;\n"
  "  for (const BuiltinFile& file : kFiles) {\n"
  "    if (file.path.starts_with(folder)) found.push_back(file);\n  }\n  return found;\n}\n\n}  // namespace assay\n")
file(WRITE ${OUTPUT} "${text}")
