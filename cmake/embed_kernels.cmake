# Turns the texts under kernels/ into one C++ file, so that a run compiles the kernels it was built
# with and needs no source tree. Called as a function by CMakeLists.txt; runs itself as a script
# (cmake -P) when a text has changed.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB texts ${KERNELS}/*.hpp ${KERNELS}/*.cu)
  set(table "#include \"device/kernel_sources.hpp\"\n\nnamespace barsweep::device {\n\n")
  string(APPEND table "const std::vector<SourceFile>& kernel_sources()\n{\n")
  string(APPEND table "    static const std::vector<SourceFile> sources{\n")
  foreach(path IN LISTS texts)
    get_filename_component(name ${path} NAME)
    file(READ ${path} text)
    string(APPEND table "        {\"${name}\", R\"kernel(${text})kernel\"},\n")
  endforeach()
  string(APPEND table "    };\n    return sources;\n}\n\n}  // namespace barsweep::device\n")
  file(WRITE ${OUTPUT} "${table}")
  return()
endif()

function(barsweep_embed_kernels target)
  set(output ${PROJECT_BINARY_DIR}/kernel_sources.cpp)
  file(GLOB texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.hpp ${PROJECT_SOURCE_DIR}/kernels/*.cu)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DKERNELS=${PROJECT_SOURCE_DIR}/kernels -DOUTPUT=${output}
      -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    DEPENDS ${texts} ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    COMMENT "Embedding the kernels' texts")
  target_sources(${target} PRIVATE ${output})
endfunction()
