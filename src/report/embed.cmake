# cmake -DOUT=... -DNAMES="a;b" -DFILES="x;y" -P embed.cmake: writes a C++ file with each text as a string_view.
set(text "#include \"report/html.hpp\"\n\nnamespace hemlock::report::asset {\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ ${file} content)
  string(APPEND text "const std::string_view ${name} = R\"hemlock_asset(${content})hemlock_asset\";\n")
endforeach()
string(APPEND text "}  // namespace hemlock::report::asset\n")
file(WRITE ${OUT} "${text}")
